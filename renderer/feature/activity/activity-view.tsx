import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import { useModel, useView } from '../../store/model-context.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { ActivityDetailPane } from './activity-detail.tsx';
import { ActivityHeader } from './activity-header.tsx';
import { ActivityList } from './activity-list.tsx';
import { followActivity } from './activity-log.ts';
import { ActivityStates } from './activity-states.tsx';
import { AuditPage } from './audit/audit-page.tsx';
import { FilterBar } from './filter-bar.tsx';
import { afterMilliseconds } from './follow-news.ts';
import { MetricsPage } from './metrics/metrics-page.tsx';
import { RecordingNotice } from './recording-notice.tsx';
import { ActiveCallList } from './underway-list.tsx';

/** Shows the chosen activity page: calls, audit log or metrics. */
export function ActivityView() {
  const page = useView(({ place }) => place.activityPage) ?? 'calls';
  if (page === 'audit') return <AuditPage />;
  return page === 'metrics' ? <MetricsPage /> : <CallsPage />;
}

/** Shows recorded calls and follows new ones. */
function CallsPage() {
  const model = useModel();
  const { filter, turn } = useStore(model.activity);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn fetches everything again
  const log = useMemo(
    () => followActivity({ link: model.link, filter, after: afterMilliseconds }),
    [model, filter, turn],
  );
  useEffect(() => {
    log.start();
    return () => log.stop();
  }, [log]);
  const state = useStore(log.store);
  const [selected, setSelected] = useState<number>();
  const close = () => setSelected(undefined);
  return (
    <>
      <ActivityHeader state={state} filter={filter} onFollow={log.follow} />
      <FilterBar
        filter={filter}
        counts={state.counts}
        onChange={(next) => model.activity.setState({ filter: next })}
      />
      <RecordingNotice state={state} />
      <ActiveCallList newest={state.newRows[0]?.id ?? state.rows[0]?.id} />
      <SplitView
        fixed="detail"
        onClose={close}
        list={
          <ActivityStates state={state} filter={filter} onRetry={log.reload}>
            <ActivityList state={state} log={log} selected={selected} onSelect={setSelected} />
          </ActivityStates>
        }
        {...(selected === undefined
          ? {}
          : { detail: <ActivityDetailPane key={selected} id={selected} onClose={close} /> })}
      />
    </>
  );
}
