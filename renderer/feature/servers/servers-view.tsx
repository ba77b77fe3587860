import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { comboForAria } from '../../lib/key-combo.ts';
import { shownStatus } from '../../lib/server/server-status.ts';
import { formatBytes } from '../../lib/text/format-amount.ts';
import { useModel, useServers, useView } from '../../store/model-context.tsx';
import { openDialog } from '../../store/view-store.ts';
import { SplitView } from '../../ui/list/split-view.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { RemovedServerPage, useRemovedKey } from './detail/removed-server-page.tsx';
import { ServerPage } from './detail/server-page.tsx';
import { FirstSteps } from './first-steps/first-steps.tsx';
import { type Arrangement, arrangeServers, plainArrangement } from './list/arrange-servers.ts';
import { ListTools } from './list/list-tools.tsx';
import { SelectionBar } from './list/selection-bar.tsx';
import { ServerTable } from './list/server-table.tsx';
import { ServersEmpty, ServersLoading, ServersNoMatch } from './list/servers-empty.tsx';
import { useSelection } from './list/use-selection.ts';

/** Lists all servers beside the page of the open one. */
export function ServersView() {
  const model = useModel();
  const ready = useStore(model.linkState, (link) => link.state.kind === 'ready');
  const count = useServers((state) => state.order.length);
  const goneKey = useRemovedKey();
  useEffect(() => (ready ? markFirstList() : undefined), [ready]);
  if (!ready) return <ServersLoading />;
  return count === 0 && goneKey === undefined ? <ServersEmpty /> : <ServersList goneKey={goneKey} />;
}

function ServersList({ goneKey }: { goneKey: string | undefined }) {
  const model = useModel();
  const [arrangement, setArrangement] = useState<Arrangement>(plainArrangement);
  const mirror = useServers((state) => state);
  const usage = useStore(model.mirrors.usage, (state) => (needsUsage(arrangement) ? state : noUsage));
  const all = useMemo(() => mirror.order.flatMap((key) => mirror.byKey[key] ?? []), [mirror]);
  const shown = useMemo(() => arrangeServers(all, arrangement, usage), [all, arrangement, usage]);
  const selection = useSelection(shown);
  const { serverKey: openKey, serverTab } = useView(({ place }) => place);
  const open = openKey === undefined ? undefined : mirror.byKey[openKey];
  useProcessWatch(open === undefined || serverTab === 'overview');
  const page =
    open === undefined ? (
      goneKey !== undefined && <RemovedServerPage key={goneKey} serverKey={goneKey} />
    ) : (
      <ServerPage key={open.key} server={open} />
    );
  return (
    <>
      <ViewHeader title="Servers" note={summary(all)}>
        <Button
          leftSection={<Plus size={15} aria-hidden />}
          onClick={() => openDialog(model.view, { kind: 'add-server', how: 'paste' })}
          aria-keyshortcuts={comboForAria('n', model.mac)}
        >
          Add server
        </Button>
      </ViewHeader>
      <FirstSteps />
      <SplitView
        list={
          <>
            <ListTools
              servers={all}
              arrangement={arrangement}
              onChange={setArrangement}
              compact={page !== false}
            />
            {shown.length === 0 && all.length > 0 ? (
              <ServersNoMatch onReset={() => setArrangement(plainArrangement)} />
            ) : (
              <ServerTable
                servers={shown}
                arrangement={arrangement}
                onArrange={setArrangement}
                openKey={open?.key ?? goneKey}
                selection={selection}
              />
            )}
            {selection.servers.length > 0 && (
              <SelectionBar servers={selection.servers} onClear={selection.clear} />
            )}
          </>
        }
        {...(page === false ? {} : { detail: page })}
      />
    </>
  );
}

function summary(servers: readonly ServerView[]): string {
  const connected = servers.filter((one) => one.status === 'connected').length;
  const asleep = servers.filter((one) => shownStatus(one) === 'asleep');
  const saved = asleep.reduce((sum, one) => sum + (one.asleep?.memorySaved ?? 0), 0);
  return [
    `${connected} of ${servers.length} connected`,
    ...(asleep.length === 0 ? [] : [`${asleep.length} asleep`]),
    ...(saved === 0 ? [] : [`${formatBytes(saved)} saved`]),
  ].join(' · ');
}

function needsUsage({ sort }: Arrangement): boolean {
  return sort === 'memory' || sort === 'cpu';
}

const noUsage = {};

/** Marks when the first list (or its empty state) is on screen; later calls do nothing. */
function markFirstList(): void {
  requestAnimationFrame(() => {
    const known = performance.getEntriesByName('patchbay:first-list').length > 0;
    if (!known) performance.mark('patchbay:first-list');
  });
}

/** Makes the engine sample processes only while `shown` is true and the window is visible. */
function useProcessWatch(shown: boolean): void {
  const { link } = useModel();
  useEffect(() => {
    if (!shown) return;
    const set = (on: boolean) => void link.call('process.watch', { on });
    const follow = () => set(document.visibilityState === 'visible');
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      set(false);
    };
  }, [link, shown]);
}
