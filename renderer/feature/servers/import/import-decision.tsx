import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { ImportEntry, ImportPreview } from '../../../../shared/model/import/import-session.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useServers } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { IssueList } from '../config/entry-form.tsx';
import {
  type Choices,
  changeEntry,
  entryKeyError,
  isReady,
  waitingText,
  wantedInputs,
} from './import-choices.ts';
import { ImportLine } from './import-line.tsx';
import classes from './import-servers.module.css';
import { InputFields } from './input-fields.tsx';
import type { Importing, ImportState } from './use-import.ts';

interface ImportDecisionProps {
  readonly deciding: Extract<ImportState, { kind: 'deciding' }>;
  readonly importing: Importing;
  readonly onClose: () => void;
}

/** Lists every server found: whether to import it, its name, its secrets and missing values. */
export function ImportDecision({ deciding, importing, onClose }: ImportDecisionProps) {
  const { preview, choices, adding, problem } = deciding;
  const { choose } = importing;
  const order = useServers((state) => state.order);
  const existing = useMemo(() => new Set(order), [order]);
  const entries = useMemo(() => [...preview.entries].sort((a, b) => rank(a) - rank(b)), [preview]);
  const chosen = choices.entries.filter((entry) => entry.chosen).length;
  const inputs = wantedInputs(preview, choices);
  const waiting = waitingText(preview, choices);
  const canMove = preview.entries.some(({ duplicate, origins }) => isKnown(duplicate) && origins.length > 0);
  return (
    <div className="pane">
      <div className={classes.scroll}>
        <Heading preview={preview} />
        {preview.issues.length > 0 && <IssueList issues={preview.issues} />}
        {entries.length > 0 && (
          <>
            <Selection preview={preview} choices={choices} onChoose={choose} />
            <ul className={classes.list} aria-label="Servers found">
              {entries.map((entry) => {
                const choice = choices.entries.find(({ id }) => id === entry.id);
                if (choice === undefined) return null;
                return (
                  <ImportLine
                    key={entry.id}
                    entry={entry}
                    choice={choice}
                    error={choice.chosen ? entryKeyError(choice, choices, existing) : undefined}
                    onChange={(change) => choose((now) => changeEntry(now, entry.id, change))}
                  />
                );
              })}
            </ul>
          </>
        )}
        {inputs.length > 0 && (
          <InputFields
            inputs={inputs}
            values={choices.inputs}
            onChange={(id, value) => choose((now) => ({ ...now, inputs: { ...now.inputs, [id]: value } }))}
          />
        )}
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
      <DialogFoot note={chosen > 0 && (waiting ?? 'Added servers start right away.')}>
        <Button variant="default" onClick={onClose} disabled={adding}>
          Cancel
        </Button>
        {chosen === 0 && canMove ? (
          <Button loading={adding} onClick={() => void importing.add()}>
            Next
          </Button>
        ) : (
          <Button
            disabled={!isReady(choices, existing)}
            loading={adding}
            onClick={() => void importing.add()}
          >
            {chosen === 0 ? 'Import servers' : `Import ${formatCount(chosen, 'server')}`}
          </Button>
        )}
      </DialogFoot>
    </div>
  );
}

/** Sorts new servers first, then known ones, then those that cannot run. */
function rank({ suggested, issues, duplicate }: ImportEntry): number {
  if (suggested) return 0;
  if (issues.some(({ severity }) => severity === 'error')) return 3;
  return isKnown(duplicate) ? 2 : 1;
}

function isKnown(duplicate: ImportEntry['duplicate']): boolean {
  return duplicate !== undefined && (duplicate.kind === 'target' || duplicate.same);
}

function Heading({ preview }: { preview: ImportPreview }) {
  const { title, file, entries, apps } = preview;
  const withServers = apps.filter(({ servers }) => servers > 0);
  return (
    <div className="grid gap-6" role="status">
      <p className="medium">{headline(preview)}</p>
      {file !== undefined && (
        <p className={`truncate ${classes.file}`} title={file}>
          {file}
        </p>
      )}
      {apps.length > 1 && (
        <p className="flex wraps gap-4">
          {withServers.map((app) => (
            <Tag key={app.file} title={app.file}>
              {app.title} {app.servers}
            </Tag>
          ))}
        </p>
      )}
      {apps.length === 0 && entries.length === 0 && title === 'Your apps' && (
        <p className={classes.dim}>
          None of the apps that Patchbay knows has a config file on this computer.
        </p>
      )}
      {apps.map(
        (app) =>
          app.problem !== undefined && (
            <ProblemCard key={app.file} problem={app.problem} about={app.title} severity="warning" />
          ),
      )}
    </div>
  );
}

function headline({ title, entries, apps }: ImportPreview): string {
  const withServers = new Set(apps.filter(({ servers }) => servers > 0).map(({ client }) => client));
  const total = apps.reduce((sum, { servers }) => sum + servers, 0);
  if (apps.length === 0 && title === 'Your apps') return 'No servers found';
  if (apps.length < 2) {
    return `${title}: ${entries.length === 0 ? 'no servers' : formatCount(entries.length, 'server')}`;
  }
  if (total === 0) return 'No servers in your apps';
  const different = total === entries.length ? '' : `, ${entries.length} of them different`;
  return `${formatCount(total, 'server')} in ${formatCount(withServers.size, 'app')}${different}`;
}

interface SelectionProps {
  readonly preview: ImportPreview;
  readonly choices: Choices;
  readonly onChoose: Importing['choose'];
}

/** Shows how many are selected and what that means, with buttons to select all or none. */
function Selection({ preview, choices, onChoose }: SelectionProps) {
  const chosen = choices.entries.filter((entry) => entry.chosen);
  const secrets = new Set(chosen.flatMap((entry) => Object.values(entry.secrets)));
  const parts = [
    `${chosen.length} selected`,
    ...(secrets.size === 0 ? [] : [`${formatCount(secrets.size, 'secret')} will be stored encrypted`]),
  ];
  const all = (isWanted: (entry: ImportEntry) => boolean) =>
    onChoose((now) => ({
      ...now,
      entries: now.entries.map((choice) => {
        const entry = preview.entries.find(({ id }) => id === choice.id);
        return { ...choice, chosen: entry !== undefined && isWanted(entry) };
      }),
    }));
  return (
    <div className={`row ${classes.selection}`}>
      <span role="status">{parts.join(' · ')}</span>
      <Button variant="subtle" size="compact-xs" onClick={() => all(({ suggested }) => suggested)}>
        Select all new
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={() => all(() => false)}>
        Select none
      </Button>
    </div>
  );
}
