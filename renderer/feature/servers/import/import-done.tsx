import { Button } from '@mantine/core';
import { CircleCheck, CircleSlash, FileCheck, Info, KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type {
  ImportPreview,
  ImportResult,
  MoveResult,
} from '../../../../shared/model/import/import-session.ts';
import { openServer } from '../../../command/navigate.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { useModel } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './import-servers.module.css';
import type { Importing, ImportOutcome } from './use-import.ts';

interface ImportDoneProps {
  readonly outcome: ImportOutcome;
  readonly importing: Importing;
  readonly onClose: () => void;
}

/** Shows the result of an import and offers to undo it. */
export function ImportDone({ outcome, importing, onClose }: ImportDoneProps) {
  const model = useModel();
  const [undoing, setUndoing] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { preview, result, moved } = outcome;
  const { added = [], failed = [], secrets = [], waiting = [] } = result ?? {};
  const starting = added.filter((key) => !waiting.some((one) => one.key === key));
  const replaced = moved?.apps.filter(({ problem: why }) => why === undefined) ?? [];
  const appsWithPlainSecrets = secrets.length === 0 ? [] : appsWithSecrets(preview, replaced);
  async function undo(): Promise<void> {
    setUndoing(true);
    const undoProblem = await importing.undo();
    setUndoing(false);
    if (undoProblem !== undefined) return setProblem(undoProblem);
    model.notify.done('The import was undone.');
    onClose();
  }
  return (
    <div className="pane">
      <div className={classes.scroll} role="status">
        {starting.length > 0 && (
          <Line icon={<CircleCheck size={16} />} tone="good">
            {joinWords(starting, 8)} {starting.length === 1 ? 'was' : 'were'} added and{' '}
            {starting.length === 1 ? 'is' : 'are'} starting.
          </Line>
        )}
        {waiting.map((one) => (
          <WaitingLine
            key={one.key}
            waiting={one}
            onEnter={() => {
              onClose();
              openServer(model, one.key, 'overview');
            }}
          />
        ))}
        {added.length === 0 && replaced.length === 0 && (
          <Line icon={<CircleSlash size={16} />} tone="bad">
            Nothing was added.
          </Line>
        )}
        {secrets.length > 0 && (
          <Line icon={<KeyRound size={16} />}>
            {formatCount(secrets.length, 'secret')} stored encrypted: {joinWords(secrets, 6)}.
          </Line>
        )}
        {replaced.map((app) => (
          <AppLine key={app.client} app={app} />
        ))}
        {appsWithPlainSecrets.length > 0 && (
          <Line icon={<Info size={16} />}>
            The config files of {joinWords(appsWithPlainSecrets, 7)} still contain secrets in plain text.
          </Line>
        )}
        {moved?.apps.map(
          ({ client, title, problem: why }) =>
            why !== undefined && <ProblemCard key={client} problem={why} about={title} />,
        )}
        {failed.map((one) => (
          <div key={one.key} className="grid gap-8">
            <h3 className="dim tiny strong">{one.key} was not added</h3>
            <ProblemCard problem={one.problem} about={one.key} />
          </div>
        ))}
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
      <DialogFoot>
        {added.length + replaced.length > 0 && (
          <Button variant="default" loading={undoing} onClick={() => void undo()}>
            Undo
          </Button>
        )}
        {failed.length > 0 && (
          <Button variant="default" onClick={importing.retry}>
            Fix the rest
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFoot>
    </div>
  );
}

/** Returns the names of the apps whose own files still contain the secrets. */
function appsWithSecrets(preview: ImportPreview, replaced: MoveResult['apps']): readonly string[] {
  const origins = preview.entries
    .filter((entry) => entry.secrets.length > 0)
    .flatMap((entry) => entry.origins);
  const holders = origins.filter(({ client }) => replaced.every((app) => app.client !== client));
  return [...new Set(holders.map(({ title }) => title))];
}

interface WaitingLineProps {
  readonly waiting: ImportResult['waiting'][number];
  readonly onEnter: () => void;
}

/** Shows a server that was added but needs values before it starts, and links to its page. */
function WaitingLine({ waiting: { key, values }, onEnter }: WaitingLineProps) {
  return (
    <div className={`row ${classes.waiting}`}>
      <Line icon={<KeyRound size={16} />}>
        {key} was added and starts once you enter {joinWords(values, 4)}.
      </Line>
      <Button variant="default" size="compact-xs" aria-label={`Enter the value for ${key}`} onClick={onEnter}>
        Enter the value
      </Button>
    </div>
  );
}

function AppLine({ app: { title, files, pickupText } }: { app: MoveResult['apps'][number] }) {
  const backups = files.flatMap((file) => (file.kind === 'written' ? (file.backup ?? []) : []));
  return (
    <Line icon={<FileCheck size={16} />} tone="good">
      <strong>{title} now uses Patchbay.</strong> {pickupText}
      {backups.map((backup) => (
        <span key={backup} className={classes.hint}>
          Backup: <code className="selectable">{backup}</code>
        </span>
      ))}
    </Line>
  );
}

function Line({ icon, tone, children }: { icon: ReactNode; tone?: 'good' | 'bad'; children: ReactNode }) {
  return (
    <p className={classes.outcome} data-tone={tone}>
      <span aria-hidden>{icon}</span>
      <span>{children}</span>
    </p>
  );
}
