import { Button, Checkbox } from '@mantine/core';
import { Info } from 'lucide-react';
import { useState } from 'react';
import type { MovePreview } from '../../../../shared/model/import/import-session.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { Disclosure } from '../../../ui/dialog/disclosure.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { FileDifference } from '../../../ui/tool/file-difference.tsx';
import classes from './import-servers.module.css';
import type { Importing, ImportState } from './use-import.ts';

interface MoveDecisionProps {
  readonly moving: Extract<ImportState, { kind: 'moving' }>;
  readonly importing: Importing;
}

/** Asks whether the apps should use only Patchbay, and shows what would be written to each file. */
export function MoveDecision({ moving: { outcome, apps, writing, problem }, importing }: MoveDecisionProps) {
  const [excluded, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = apps.filter((app) => isWritable(app) && !excluded.has(app.client));
  const titles = joinWords(
    apps.map(({ title }) => title),
    4,
  );
  const { failed = [], waiting = [] } = outcome.result ?? {};
  function choose(client: string, wanted: boolean): void {
    setLeft(new Set(wanted ? [...excluded].filter((other) => other !== client) : [...excluded, client]));
  }
  return (
    <div className="pane">
      <div className={classes.scroll}>
        <div className="grid gap-6">
          <p className="medium">Replace these servers in {titles} with Patchbay?</p>
          <p className={classes.dim}>
            Otherwise each would run twice. The original {apps.length === 1 ? 'file is' : 'files are'} backed
            up; you can undo this.
          </p>
        </div>
        {failed.length > 0 && (
          <p className={classes.error}>
            Not imported and left in place:{' '}
            {joinWords(
              failed.map(({ key }) => key),
              4,
            )}
          </p>
        )}
        {waiting.length > 0 && (
          <p className={classes.dim}>
            Left in place until you enter what {waiting.length === 1 ? 'it needs' : 'they need'}:{' '}
            {joinWords(
              waiting.map(({ key }) => key),
              4,
            )}
          </p>
        )}
        {problem !== undefined && <ProblemCard problem={problem} severity="warning" />}
        <ul className={classes.list} aria-label="Apps">
          {apps.map((app) => (
            <AppLine
              key={app.client}
              app={app}
              chosen={chosen.includes(app)}
              writing={writing}
              onChoose={(wanted) => choose(app.client, wanted)}
              onQuit={() => void importing.quit(app.client)}
            />
          ))}
        </ul>
      </div>
      <DialogFoot>
        <Button variant="default" disabled={writing} onClick={() => void importing.move(new Set())}>
          Leave them as they are
        </Button>
        <Button
          disabled={chosen.length === 0}
          loading={writing}
          data-autofocus
          onClick={() => void importing.move(new Set(chosen.map(({ client }) => client)))}
        >
          Replace in {formatCount(chosen.length, 'app')}
        </Button>
      </DialogFoot>
    </div>
  );
}

function isWritable({ outcome }: MovePreview): boolean {
  return outcome.kind === 'ready' && !outcome.preview.mustQuit;
}

interface AppLineProps {
  readonly app: MovePreview;
  readonly chosen: boolean;
  readonly writing: boolean;
  readonly onChoose: (chosen: boolean) => void;
  readonly onQuit: () => void;
}

function AppLine({ app, chosen, writing, onChoose, onQuit }: AppLineProps) {
  const [open, setOpen] = useState(false);
  const { title, servers, outcome } = app;
  return (
    <li className={classes.line}>
      <Checkbox
        checked={chosen}
        disabled={!isWritable(app) || writing}
        aria-label={`Replace in ${title}`}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <div className="grid min-0 gap-8">
        <p className={classes.appName}>
          {title} <span className={classes.dim}>{joinWords(servers, 8)}</span>
        </p>
        {outcome.kind === 'refused' && (
          <ProblemCard problem={outcome.problem} about={title} severity="warning" />
        )}
        {outcome.kind === 'ready' && outcome.preview.mustQuit && (
          <Notice
            label={`${title} is running`}
            icon={<Info size={16} />}
            title={`Quit ${title} first`}
            text={`${title} is running and would overwrite the change when it quits.`}
            actions={
              <Button variant="default" loading={writing} onClick={onQuit}>
                Quit {title}
              </Button>
            }
          />
        )}
        {outcome.kind === 'ready' && (
          <Disclosure
            title="Show the change"
            summary={joinWords(
              outcome.preview.files.map(({ file }) => file),
              2,
            )}
            open={open}
            onOpen={setOpen}
          >
            <div className="grid min-0 gap-12">
              {outcome.preview.files.map((file) => (
                <FileDifference key={file.file} file={file} />
              ))}
            </div>
          </Disclosure>
        )}
      </div>
    </li>
  );
}
