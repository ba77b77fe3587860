import { Button, Menu } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Download, LoaderCircle, Pause, Play, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ActivityFilter } from '../../../shared/model/activity/activity.ts';
import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import { clearActivity, exportActivity, stopCall } from '../../command/activity/activity-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { knownValue, useEngine } from '../../store/hook/use-engine.ts';
import { useModel, useServers, useServerTitle, useView } from '../../store/model-context.tsx';
import { SplitView } from '../../ui/list/split-view.tsx';
import { ServerName } from '../../ui/text/server-name.tsx';
import { Lasting } from '../../ui/text/time-text.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { ActivityDetailPane } from './activity-detail.tsx';
import { ActivityList } from './activity-list.tsx';
import { type ActivityLogState, followActivity } from './activity-log.ts';
import { ActivityPages } from './activity-pages.tsx';
import { ActivityStates } from './activity-states.tsx';
import classes from './activity-view.module.css';
import { AuditPage } from './audit/audit-page.tsx';
import { FilterBar } from './filter-bar.tsx';
import { afterMilliseconds } from './follow-changes.ts';
import { MetricsPage } from './metrics/metrics-page.tsx';
import { RecordingNotice } from './recording-notice.tsx';

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

/** Lists calls in progress above the finished ones; `newest` is the id of the last finished one. */
function ActiveCallList({ newest }: { newest: number | undefined }) {
  const calls = useActiveCalls(newest);
  if (calls.length === 0) return null;
  const rest = calls.length - maxShown;
  return (
    <section className={classes.underway} aria-label="Calls in progress">
      <ul>
        {calls.slice(0, maxShown).map((call) => (
          <ActiveCallLine key={call.id} call={call} />
        ))}
      </ul>
      {rest > 0 && <p className="dim">{formatCount(rest, 'more call')} in progress</p>}
    </section>
  );
}

function ActiveCallLine({ call }: { call: ActiveCall }) {
  const model = useModel();
  const title = useServerTitle(call.serverKey);
  const what = call.name ?? call.method;
  return (
    <li className={`row ${classes.underwayLine}`}>
      <LoaderCircle size={14} className={classes.icon} aria-hidden />
      <code className={`truncate ${classes.title}`}>{what}</code>
      <span className="grow dim">
        <ServerName serverKey={call.serverKey} />, for {clientTitle({ name: call.clientName })}
      </span>
      <Lasting since={call.since} />
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Cancel ${what} of ${title}`}
        onClick={() => void stopCall(model, call.id)}
      >
        Cancel
      </Button>
    </li>
  );
}

/** Max calls listed; more are only counted. */
const maxShown = 5;

interface ActivityHeaderProps {
  readonly state: ActivityLogState;
  readonly filter: ActivityFilter;
  readonly onFollow: (following: boolean) => void;
}

function ActivityHeader({ state, filter, onFollow }: ActivityHeaderProps) {
  const model = useModel();
  const { following, counts } = state;
  const isEmpty = state.rows.length === 0 && counts?.kept === 0;
  return (
    <ViewHeader title="Activity" note={counts && countText(counts.total, counts.kept)}>
      <Button
        variant="default"
        leftSection={following ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        onClick={() => onFollow(!following)}
      >
        {following ? 'Pause' : 'Follow'}
      </Button>
      <Menu>
        <Menu.Target>
          <Button variant="default" disabled={isEmpty} leftSection={<Download size={14} aria-hidden />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void exportActivity(model, filter, 'jsonl')}>
            JSON, one entry per line
          </Menu.Item>
          <Menu.Item onClick={() => void exportActivity(model, filter, 'csv')}>Table (CSV)</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        disabled={isEmpty}
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => void clearActivity(model)}
      >
        Clear
      </Button>
      <ActivityPages page="calls" />
    </ViewHeader>
  );
}

function countText(total: number, stored: number): string {
  const all = formatCount(stored, 'entry', 'entries');
  return total !== stored ? `${total.toLocaleString('en')} of ${all}` : all;
}

/** Returns the calls in progress, longest first; again shortly after a call begins or ends. */
function useActiveCalls(newest: number | undefined): readonly ActiveCall[] {
  const activeCount = useServers(({ byKey }) =>
    Object.values(byKey).reduce((sum, { activeCalls }) => sum + activeCalls, 0),
  );
  const [changed] = useDebouncedValue(`${activeCount} ${newest}`, settleMs);
  const { calls = [] } = knownValue(useEngine('activity.underway', undefined, { again: [changed] })) ?? {};
  return calls.toSorted((left, right) => left.since - right.since);
}

const settleMs = 250;
