import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import { RefreshCw, SearchX, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { CommandExplanation } from '../../../../shared/model/server/command.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { reloadEnvironment } from '../../../command/server/program-actions.ts';
import { closeExplaining, type Explaining, lastExplanation } from '../../../store/explain-store.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Ago } from '../../../ui/text/time-text.tsx';
import { CandidateList } from './candidate-list.tsx';
import classes from './program-panel.module.css';
import { SearchedFolders } from './searched-folders.tsx';

/** Shows which file a server's command runs, which others it could be, and where they were looked for. */
export function ProgramPanel({ server, explaining }: { server: ServerView; explaining: Explaining }) {
  const { explaining: store } = useModel();
  const explanation = lastExplanation(explaining);
  const ref = useScrolledIntoView(explaining);
  return (
    <section
      ref={ref}
      tabIndex={-1}
      className={classes.panel}
      aria-label="Which version runs"
      aria-busy={explaining.kind === 'asking'}
    >
      <header className={`row ${classes.head}`}>
        <h4 className="dim tiny medium">Which version runs</h4>
        <Tooltip label="Close">
          <ActionIcon
            size={24}
            aria-label="Close the explanation"
            onClick={() => closeExplaining(store, server.key)}
          >
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      {explaining.kind === 'failed' && <ProblemCard problem={explaining.problem} about={server.key} />}
      {explaining.kind === 'asking' && explanation === undefined && <Asking />}
      {explanation !== undefined && <Explained server={server} explanation={explanation} />}
    </section>
  );
}

/** Focuses the panel when it was just opened, and scrolls it into view once its content is there. */
function useScrolledIntoView(explaining: Explaining): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  const fresh = useRef(explaining.kind === 'asking');
  const { kind } = explaining;
  useEffect(() => {
    if (fresh.current) ref.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (fresh.current) ref.current?.scrollIntoView({ block: 'nearest' });
    if (kind !== 'asking') fresh.current = false;
  }, [kind]);
  return ref;
}

function Asking() {
  return (
    <div className={classes.asking} role="status" aria-label="Asking each program for its version">
      <Skeleton height={13} width="70%" radius={4} />
      <Skeleton height={13} width="45%" radius={4} />
      <Skeleton height={13} width="58%" radius={4} />
    </div>
  );
}

function Explained({ server, explanation }: { server: ServerView; explanation: CommandExplanation }) {
  return (
    <>
      {explanation.candidates.length === 0 ? (
        <p className={classes.none}>
          <SearchX size={15} aria-hidden />
          <span>
            No folder on the PATH has a program named <code>{explanation.command}</code>. Install it, or
            reload the environment if you have just installed it.
          </span>
        </p>
      ) : (
        <CandidateList serverKey={server.key} explanation={explanation} />
      )}
      <SearchedFolders searched={explanation.searched} />
      <Environment environment={explanation.environment} />
    </>
  );
}

/** Shows where the environment was read from and reloads it. */
function Environment({ environment }: Pick<CommandExplanation, 'environment'>) {
  const model = useModel();
  const [busy, setBusy] = useState(false);
  async function reload(): Promise<void> {
    setBusy(true);
    await reloadEnvironment(model);
    setBusy(false);
  }
  return (
    <footer className={`row ${classes.foot}`}>
      <p className={classes.environment}>
        Environment {sources[environment.source](environment.shell)}, <Ago at={environment.readAt} />
      </p>
      <Button
        variant="default"
        leftSection={<RefreshCw size={13} aria-hidden />}
        loading={busy}
        onClick={() => void reload()}
      >
        Reload
      </Button>
    </footer>
  );
}

type Source = CommandExplanation['environment']['source'];

const sources: Readonly<Record<Source, (shell: string | undefined) => string>> = {
  'login-shell': (shell) => `read from your login shell${shell === undefined ? '' : ` (${shell})`}`,
  inherited: () => 'inherited from the program that started Patchbay',
  registry: () => 'read from the registry',
};
