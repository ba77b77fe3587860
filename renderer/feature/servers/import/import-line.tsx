import { Checkbox, TextInput } from '@mantine/core';
import type { ImportEntry, ImportSecret } from '../../../../shared/model/import/import-session.ts';
import { secretNameError } from '../../../lib/entry/secret-name-error.ts';
import { Tag } from '../../../ui/tag.tsx';
import { IssueList } from '../config/entry-form.tsx';
import { KeySuggestion } from '../name-field.tsx';
import { VariableList } from '../variable-list.tsx';
import type { EntryChoice } from './import-choices.ts';
import classes from './import-servers.module.css';

interface ImportLineProps {
  readonly entry: ImportEntry;
  readonly choice: EntryChoice;
  readonly error: string | undefined;
  readonly onChange: (change: Partial<EntryChoice>) => void;
}

/** Shows one server that was found. */
export function ImportLine({ entry, choice, error, onChange }: ImportLineProps) {
  const { title, target, issues, secrets, writtenKey, disabled, project, variables, origins } = entry;
  const apps = [...new Set(origins.map(({ title }) => title))];
  const isBad = issues.some(({ severity }) => severity === 'error');
  return (
    <li className={classes.line}>
      <Checkbox
        checked={choice.chosen}
        disabled={isBad}
        aria-label={`Import ${writtenKey === '' ? choice.key : writtenKey}`}
        onChange={(event) => onChange({ chosen: event.currentTarget.checked })}
      />
      <div className="grow">
        <div className="row gap-12">
          <TextInput
            className={classes.key ?? ''}
            aria-label={`Name of ${writtenKey === '' ? choice.key : writtenKey}`}
            value={choice.chosen || writtenKey === '' ? choice.key : writtenKey}
            error={error !== undefined}
            disabled={!choice.chosen}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
            spellCheck={false}
          />
          <code className="truncate grow dim tiny" title={target}>
            {target}
          </code>
          {disabled && <Tag>Off</Tag>}
          {apps.map((app) => (
            <Tag key={app}>{app}</Tag>
          ))}
        </div>
        {error !== undefined && <p className={classes.error}>{error}</p>}
        {choice.chosen && <KeySuggestion value={choice.key} onUse={(key) => onChange({ key })} />}
        {choice.chosen && title !== undefined && title !== choice.key && (
          <p className={classes.note}>Shown as “{title}”.</p>
        )}
        <DuplicateNote entry={entry} />
        {project !== undefined && (
          <p className={classes.note}>Found in project {project}. Patchbay will offer it everywhere.</p>
        )}
        <VariableList variables={variables} />
        {choice.chosen &&
          secrets.map((secret) => (
            <SecretLine
              key={secret.id}
              secret={secret}
              name={choice.secrets[secret.id]}
              onName={(name) => onChange({ secrets: withSecret(choice.secrets, secret.id, name) })}
            />
          ))}
        {issues.length > 0 && <IssueList issues={issues} />}
      </div>
    </li>
  );
}

/** Says whether Patchbay already has this server. */
function DuplicateNote({ entry: { duplicate, writtenKey } }: { entry: ImportEntry }) {
  if (duplicate === undefined) return null;
  if (duplicate.kind === 'target') {
    return <p className={classes.known}>Already in Patchbay as “{duplicate.key}”.</p>;
  }
  return (
    <p className={classes.known}>
      {duplicate.same
        ? 'Already in Patchbay.'
        : `Another “${writtenKey}” is in Patchbay; this one gets a new name.`}
    </p>
  );
}

interface SecretLineProps {
  readonly secret: ImportSecret;
  /** Absent while the secret stays in plain text. */
  readonly name: string | undefined;
  readonly onName: (name: string | undefined) => void;
}

function SecretLine({ secret, name, onName }: SecretLineProps) {
  const error = name === undefined ? undefined : secretNameError(name, []);
  return (
    <div className={`row ${classes.secret}`}>
      <Checkbox
        size="xs"
        checked={name !== undefined}
        onChange={(event) => onName(event.currentTarget.checked ? secret.secretName : undefined)}
        label={
          <>
            Save {secretLabel(secret)} as secret{name === undefined ? '' : ':'}
          </>
        }
      />
      {name !== undefined && (
        <TextInput
          size="xs"
          aria-label={`Secret name for ${secret.path}`}
          value={name}
          error={error}
          onChange={(event) => onName(event.currentTarget.value)}
          classNames={{ input: classes.code ?? '' }}
          spellCheck={false}
        />
      )}
    </div>
  );
}

/** Describes where a secret is: a variable or header by name. */
function secretLabel({ path, secretName }: ImportSecret): string {
  const [field, ...rest] = path.split('.');
  const name = rest.join('.');
  if (field === 'env') return name;
  if (field === 'headers') return `the header ${name}`;
  if (secretName.endsWith('PASSWORD')) return 'the password in the connection string';
  return field === 'url' ? 'the key in the URL' : 'the key in the arguments';
}

function withSecret(
  secrets: EntryChoice['secrets'],
  id: string,
  name: string | undefined,
): EntryChoice['secrets'] {
  const { [id]: _old, ...others } = secrets;
  return name === undefined ? others : { ...others, [id]: name };
}
