import { Button, SegmentedControl } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Activity, MonitorSmartphone, Radio, Server } from 'lucide-react';
import { useRef, useState } from 'react';
import { useStore } from 'zustand/react';
import { openServer } from '../../command/navigate.ts';
import { formatClock } from '../../lib/format-time.ts';
import { type ActivityEntry, clearActivity } from '../../store/activity-store.ts';
import { useModel, useServers } from '../../store/model-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Ago } from '../../ui/time-text.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import classes from './activity-view.module.css';

const filters = ['all', 'server', 'client', 'hub'] as const;
type Filter = (typeof filters)[number];

const labels: Readonly<Record<Filter, string>> = {
  all: 'All',
  server: 'Servers',
  client: 'Clients',
  hub: 'Hub',
};

/** What servers, clients and the hub did since this window was opened, newest first. */
export function ActivityView() {
  const model = useModel();
  const { entries, since } = useStore(model.activity);
  const [filter, setFilter] = useState<Filter>('all');
  const shown = filter === 'all' ? entries : entries.filter((entry) => entry.about === filter);
  return (
    <>
      <ViewHeader
        title="Activity"
        note={
          <>
            Since this window was opened, <Ago at={since} />
          </>
        }
      >
        <SegmentedControl
          size="xs"
          aria-label="Show activity of"
          value={filter}
          onChange={setFilter}
          data={filters.map((value) => ({ value, label: labels[value] }))}
        />
        <Button
          variant="default"
          disabled={entries.length === 0}
          onClick={() => clearActivity(model.activity)}
        >
          Clear
        </Button>
      </ViewHeader>
      {shown.length === 0 ? (
        <EmptyState
          icon={Activity}
          title="Quiet so far"
          text="Servers that connect, fail or restart and clients that come and go are listed here as it happens."
        />
      ) : (
        <Entries entries={shown} />
      )}
    </>
  );
}

function Entries({ entries }: { entries: readonly ActivityEntry[] }) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 40,
    overscan: 10,
    getItemKey: (index) => entries[index]?.id ?? index,
  });
  return (
    <ScrollRegion label="Activity list" className={classes.scroller} ref={scroller}>
      <ol className={classes.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const entry = entries[index];
          return entry && <Entry key={key} entry={entry} top={start} />;
        })}
      </ol>
    </ScrollRegion>
  );
}

const icons = { server: Server, client: MonitorSmartphone, hub: Radio } as const;

function Entry({ entry, top }: { entry: ActivityEntry; top: number }) {
  const Icon = icons[entry.about];
  return (
    <li className={classes.entry} style={{ transform: `translateY(${top}px)` }}>
      <time className={classes.clock} dateTime={new Date(entry.at).toISOString()}>
        {formatClock(entry.at)}
      </time>
      <Icon size={15} strokeWidth={1.8} className={classes.icon} aria-label={labels[entry.about]} />
      <Subject entry={entry} />
      <span className={classes.text} data-tone={entry.tone} title={entry.text}>
        {entry.text}
      </span>
    </li>
  );
}

/** The name; for a server that still exists it leads to its page. */
function Subject({ entry }: { entry: ActivityEntry }) {
  const model = useModel();
  const exists = useServers((state) => entry.about === 'server' && entry.subject in state.byKey);
  if (!exists) return <span className={classes.subject}>{entry.subject}</span>;
  return (
    <button type="button" className={classes.subject} onClick={() => openServer(model, entry.subject)}>
      {entry.subject}
    </button>
  );
}
