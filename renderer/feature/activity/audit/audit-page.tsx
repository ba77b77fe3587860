import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { AuditFilter } from '../../../../shared/model/audit.ts';
import { useModel } from '../../../store/model-context.tsx';
import { SplitView } from '../../../ui/split-view.tsx';
import { afterMilliseconds } from '../follow-news.ts';
import { AuditDetailPane } from './audit-detail.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { AuditHeader } from './audit-header.tsx';
import { AuditList } from './audit-list.tsx';
import { followAudit } from './audit-log.ts';
import { AuditNotices } from './audit-notices.tsx';
import { AuditStates } from './audit-states.tsx';
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
