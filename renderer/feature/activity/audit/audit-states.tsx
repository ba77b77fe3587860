import { Button, Loader } from '@mantine/core';
import { FilterX, ScrollText, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AuditFilter } from '../../../../shared/model/audit.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from '../activity-view.module.css';
import type { AuditLogState } from './audit-log.ts';
import { TurnOnAuditButton, useAuditEnabled } from './audit-notices.tsx';
import { isAuditFiltered } from './audit-words.ts';

interface AuditStatesProps {
  readonly state: AuditLogState;
  readonly filter: AuditFilter;
  readonly onRetry: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** Explains an empty log: an error, loading, no matches, nothing recorded yet, or the log turned off. */
export function AuditStates({ state, filter, onRetry, onClear, children }: AuditStatesProps) {
  const isOn = useAuditEnabled();
  const { rows, phase, problem } = state;
  if (problem !== undefined) {
    return (
      <div className={classes.problem}>
        <ProblemCard
          problem={problem}
          about="Audit log"
          actions={<Button onClick={onRetry}>Try again</Button>}
        />
      </div>
    );
  }
  if (rows.length > 0) return children;
  if (phase === 'loading') {
    return (
      <div className={classes.loading} role="status">
        <Loader size="sm" aria-hidden />
        <span className="visually-hidden">Loading the audit log</span>
      </div>
    );
  }
  if (isAuditFiltered(filter)) return <NoMatch onClear={onClear} />;
  return isOn ? <NothingRecorded /> : <AuditOff />;
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={FilterX}
      title="Nothing matches"
      text="No entry matches your filters. Search covers actions, names, servers, tools, messages and correlation IDs."
    >
      <Button variant="default" onClick={onClear}>
        Show everything
      </Button>
    </EmptyState>
  );
}

function NothingRecorded() {
  return (
    <EmptyState
      icon={ScrollText}
      title="Nothing recorded yet"
      text="Every call, server change, grant, token and approval is recorded here with who did it. Each row includes the hash of the previous one, so later changes show up."
    />
  );
}

function AuditOff() {
  return (
    <EmptyState
      icon={VideoOff}
      title="The audit log is turned off"
      text="Nothing is recorded. Metrics are based on the audit log and stay empty too."
    >
      <TurnOnAuditButton />
    </EmptyState>
  );
}
