import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import { useModel } from '../../store/model-context.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { ActivityDetailPane } from './activity-detail.tsx';
import { ActivityHeader } from './activity-header.tsx';
import { ActivityList } from './activity-list.tsx';
import { followActivity } from './activity-log.ts';
import { ActivityStates } from './activity-states.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RecordingNotice } from './recording-notice.tsx';
import { UnderwayList } from './underway-list.tsx';

/** What went through the hub: as it comes, and as it is kept. */
export function ActivityView() {
  const model = useModel();
  const { filter, turn } = useStore(model.activity);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each turn everything is fetched anew
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
      <UnderwayList newest={state.fresh[0]?.id ?? state.rows[0]?.id} />
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

function afterMilliseconds(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}
