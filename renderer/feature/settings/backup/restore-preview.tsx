import { Checkbox, PasswordInput, Radio } from '@mantine/core';
import type { BackupPreview, BackupServer, RestoreHow } from '../../../../shared/model/hub/backup.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { formatMoment } from '../../../lib/text/format-time.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { Tag } from '../../../ui/tag.tsx';
import classes from './backup.module.css';

interface PreviewPartProps {
  readonly file: string;
  readonly preview: BackupPreview;
  readonly how: RestoreHow;
}

/** Lists the servers in a backup with the commands they would run, and counts the rest. */
export function PreviewPart({ file, preview, how }: PreviewPartProps) {
  const { servers, profiles, identities, approvals, settings, madeAt, madeBy } = preview;
  const facts = [
    formatCount(profiles, 'profile'),
    `access rules of ${formatCount(identities, 'client')}`,
    formatCount(approvals, 'reviewed tool'),
    settings === 'same' ? 'the same settings' : 'different settings',
  ];
  return (
    <>
      <p className={classes.text}>
        <code className={`${classes.path} selectable`}>{file}</code>
        <br />
        Saved on {formatMoment(madeAt)} by Patchbay {madeBy}.
      </p>
      {servers.length === 0 ? (
        <p className={classes.text}>This backup has no servers.</p>
      ) : (
        <ScrollRegion label="Servers in the backup" className={classes.servers}>
          <ul>
            {servers.map((server) => (
              <ServerLine key={server.key} server={server} how={how} />
            ))}
          </ul>
        </ScrollRegion>
      )}
      <p className="dim small">Also in the backup: {joinWords(facts, facts.length)}.</p>
    </>
  );
}

function ServerLine({
  server: { key, display, state, bundled },
  how,
}: {
  server: BackupServer;
  how: RestoreHow;
}) {
  return (
    <li className={classes.server}>
      <div className="row apart gap-8">
        <span className={classes.name}>{key}</span>
        <Tag>{state === 'different' && how === 'merge' ? 'Kept as is' : states[state]}</Tag>
      </div>
      <code className={`truncate ${classes.display}`} title={display}>
        {display}
      </code>
      {bundled && (
        <p className="small warns">
          The bundle itself is not in the backup. Add the bundle again after restoring.
        </p>
      )}
    </li>
  );
}

const states = { new: 'New', same: 'Already here', different: 'Different here' } as const;

interface RestoreChoiceProps {
  readonly preview: BackupPreview;
  readonly how: RestoreHow;
  readonly onHow: (how: RestoreHow) => void;
  readonly withSecrets: boolean;
  readonly onWithSecrets: (withSecrets: boolean) => void;
  readonly passphrase: string;
  readonly onPassphrase: (passphrase: string) => void;
  /** Why the passphrase was refused. */
  readonly refusal: string | undefined;
}

/** Chooses whether to replace or add, and whether to restore secrets. */
export function RestoreChoice(props: RestoreChoiceProps) {
  const { preview, how, onHow, withSecrets, onWithSecrets, passphrase, onPassphrase, refusal } = props;
  return (
    <>
      <Radio.Group
        label="What to restore"
        size="xs"
        value={how}
        onChange={(next) => onHow(next === 'merge' ? 'merge' : 'replace')}
      >
        <div className={classes.choices}>
          <Radio
            size="xs"
            value="replace"
            label="Replace everything"
            description={replaceText(preview)}
            data-autofocus
          />
          <Radio size="xs" value="merge" label="Add what is missing" description={addText(preview)} />
        </div>
      </Radio.Group>
      {preview.secrets === 'encrypted' ? (
        <>
          <Checkbox
            label="Restore secrets"
            description="Stored secrets and sign-ins from the backup."
            checked={withSecrets}
            onChange={(event) => onWithSecrets(event.currentTarget.checked)}
          />
          {withSecrets && (
            <PasswordInput
              size="xs"
              label="Backup passphrase"
              value={passphrase}
              onChange={(event) => onPassphrase(event.currentTarget.value)}
              error={refusal}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </>
      ) : (
        <p className="dim small">
          {preview.secrets === 'none'
            ? 'This backup has no secrets. Secrets stored here stay.'
            : 'The secrets in this backup can be read only on this computer.'}
        </p>
      )}
    </>
  );
}

function replaceText({ servers, gone }: BackupPreview): string {
  const count = servers.filter(({ state }) => state !== 'same').length;
  const starts =
    count === 0
      ? 'No server changes.'
      : `${formatCount(count, 'server')} above will start with these commands.`;
  return gone.length === 0
    ? starts
    : `${starts} Removes ${formatCount(gone.length, 'server')} not in the backup: ${joinWords(gone, maxNamed)}.`;
}

/** Max servers named; more are only counted. */
const maxNamed = 5;

function addText({ servers }: BackupPreview): string {
  const count = servers.filter(({ state }) => state === 'new').length;
  return count === 0
    ? 'All servers in the backup are already here. Your own servers do not change.'
    : `${formatCount(count, 'new server')} will start with the commands above. Your own servers do not change.`;
}
