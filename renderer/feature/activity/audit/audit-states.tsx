import { ScrollText, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AuditFilter } from '../../../../shared/model/activity/audit.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LogStates } from '../log/log-pane.tsx';
import { isAuditFiltered } from './audit-labels.ts';
import type { AuditLogState } from './audit-log.ts';
import { TurnOnAuditButton, useAuditEnabled } from './audit-notices.tsx';

interface AuditStatesProps {
  readonly state: AuditLogState;
  readonly filter: AuditFilter;
  readonly onRetry: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** Explains an empty log, or shows the problem in place of rows that may be outdated. */
export function AuditStates({ state, filter, onRetry, onClear, children }: AuditStatesProps) {
  const isOn = useAuditEnabled();
  return (
    <LogStates
      about="Audit log"
      state={state.problem === undefined ? state : { ...state, rows: [] }}
      onRetry={onRetry}
      filtered={isAuditFiltered(filter) ? searchedText : undefined}
      onClear={onClear}
      empty={isOn ? <NothingRecorded /> : <AuditOff />}
    >
      {children}
    </LogStates>
  );
}

const searchedText = 'Search covers actions, names, servers, tools, messages and correlation IDs.';

function NothingRecorded() {
  return (
    <EmptyState
      icon={ScrollText}
      title="Nothing recorded yet"
      text="Every call, server change, grant, token and approval is recorded here with who did it. Each row includes the hash of the previous one, so tampering shows."
    />
  );
}

function AuditOff() {
  return (
    <EmptyState
      icon={VideoOff}
      title="The audit log is turned off"
      text="Nothing is being recorded. Metrics come from the audit log, so they stay empty too."
    >
      <TurnOnAuditButton />
    </EmptyState>
  );
}
