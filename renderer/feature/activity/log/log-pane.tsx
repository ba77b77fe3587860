import { ActionIcon, Button, Loader } from '@mantine/core';
import { FilterX, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { openServer } from '../../../command/navigate.ts';
import { useModel, useServers } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ServerName } from '../../../ui/text/server-name.tsx';
import classes from '../activity-view.module.css';

interface LogPaneProps {
  readonly title: string;
  readonly outcome: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows one recorded row in full, beside the list. */
export function LogPane({ title, outcome, onClose, children }: LogPaneProps) {
  return (
    <section className="pane" aria-label={`Details of ${title}`}>
      <header className={`row ${classes.detailHead}`}>
        <h2 className={`truncate grow ${classes.detailTitle}`}>{title}</h2>
        {outcome}
        <ActionIcon aria-label="Close the details" onClick={onClose}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </header>
      <ScrollRegion label="Details" className={`pane ${classes.detailBody}`}>
        {children}
      </ScrollRegion>
    </section>
  );
}

/** Links to the server's page while the server exists. */
export function ServerLink({ serverKey }: { serverKey: string }) {
  const model = useModel();
  const exists = useServers((state) => serverKey in state.byKey);
  if (!exists) return serverKey;
  return (
    <button type="button" className={`bare ${classes.link}`} onClick={() => openServer(model, serverKey)}>
      <ServerName serverKey={serverKey} />
    </button>
  );
}

interface LogStatesProps {
  /** Name of the log, for the problem. */
  readonly about: string;
  readonly state: {
    readonly rows: readonly unknown[];
    readonly phase: 'loading' | 'ready';
    readonly problem?: Problem | undefined;
  };
  readonly onRetry: () => void;
  /** Describes what the filter searches; undefined without a filter. */
  readonly filtered: string | undefined;
  readonly onClear: () => void;
  /** Shown while nothing has been recorded. */
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** Explains an empty list: an error, loading, no matches, or nothing recorded. */
export function LogStates(props: LogStatesProps) {
  const { about, state, onRetry, filtered, onClear, empty, children } = props;
  const { rows, phase, problem } = state;
  if (rows.length > 0) return children;
  if (problem !== undefined) {
    return (
      <div className={classes.problem}>
        <ProblemCard problem={problem} about={about} actions={<Button onClick={onRetry}>Try again</Button>} />
      </div>
    );
  }
  if (phase === 'loading') {
    return (
      <div className={classes.loading} role="status">
        <Loader size="sm" aria-hidden />
        <span className="visually-hidden">Loading the {about.toLowerCase()}</span>
      </div>
    );
  }
  if (filtered === undefined) return empty;
  return (
    <EmptyState icon={FilterX} title="Nothing matches" text={`No entry matches your filters. ${filtered}`}>
      <Button variant="default" onClick={onClear}>
        Show everything
      </Button>
    </EmptyState>
  );
}
