import { ScrollText, VideoOff } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { AuditFilter } from '../../../../shared/model/activity/audit.ts';
import { useModel } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SplitView } from '../../../ui/list/split-view.tsx';
import { afterMilliseconds } from '../follow-changes.ts';
import { LogStates } from '../log/log-pane.tsx';
import { AuditDetailPane } from './audit-detail.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { AuditHeader } from './audit-header.tsx';
import { isAuditFiltered } from './audit-labels.ts';
import { AuditList } from './audit-list.tsx';
import { type AuditLogState, followAudit } from './audit-log.ts';
import { AuditNotices, TurnOnAuditButton, useAuditEnabled } from './audit-notices.tsx';
import { useVerification } from './use-verification.ts';

/** Shows who did what: every operation, grant, token, approval and call, in a tamper-evident chain. */
export function AuditPage() {
  const model = useModel();
  const filter = useStore(model.activity, ({ auditFilter }) => auditFilter);
  const log = useMemo(
    () => followAudit({ link: model.link, filter, after: afterMilliseconds }),
    [model, filter],
  );
  useEffect(() => {
    log.start();
    return () => log.stop();
  }, [log]);
  const state = useStore(log.store);
  const verification = useVerification();
  const [selected, setSelected] = useState<number>();
  const row = state.rows.find(({ seq }) => seq === selected);
  const close = () => setSelected(undefined);
  const setFilter = (auditFilter: AuditFilter) => model.activity.setState({ auditFilter });
  return (
    <>
      <AuditHeader state={state} filter={filter} verification={verification} />
      <AuditFilterBar filter={filter} rows={state.rows} onChange={setFilter} />
      <AuditNotices verification={verification} hasRows={state.rows.length > 0} />
      <SplitView
        fixed="detail"
        onClose={close}
        list={
          <AuditStates state={state} filter={filter} onRetry={log.reload} onClear={() => setFilter({})}>
            <AuditList state={state} log={log} selected={selected} onSelect={setSelected} />
          </AuditStates>
        }
        {...(row === undefined
          ? {}
          : { detail: <AuditDetailPane key={row.seq} row={row} onClose={close} /> })}
      />
    </>
  );
}

interface AuditStatesProps {
  readonly state: AuditLogState;
  readonly filter: AuditFilter;
  readonly onRetry: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** Explains an empty log, or shows the problem in place of rows that may be outdated. */
function AuditStates({ state, filter, onRetry, onClear, children }: AuditStatesProps) {
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
