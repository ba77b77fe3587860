import { useStore } from 'zustand/react';
import { attentionCount } from '../../lib/server/server-status.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useModel, useServers } from '../../store/model-context.tsx';
import type { View } from '../../store/view-store.ts';

export interface NavCount {
  readonly total?: number;
  /** Number of things that need the user; zero hides the badge. */
  readonly attention: number;
  /** The counts as text. */
  readonly label: string;
}

/** Returns the numbers beside the sidebar's entries. */
export function useNavCounts(): Readonly<Record<View, NavCount>> {
  const { mirrors } = useModel();
  const servers = useServers((state) => state.order.length);
  const failing = useServers((state) => attentionCount(Object.values(state.byKey)));
  const tools = useStore(mirrors.tools, (byServer) =>
    Object.values(byServer).reduce((sum, list) => sum + list.length, 0),
  );
  const clients = useStore(mirrors.clients, (list) => list.length);
  const stale = useStore(mirrors.clients, (list) => list.filter((client) => client.stale).length);
  return {
    servers: counted(servers, failing, `${failing} need attention`),
    tools: counted(tools, 0, ''),
    activity: { attention: 0, label: '' },
    clients: connected(clients, stale),
    settings: { attention: 0, label: '' },
  };
}

/** Counts connected clients; no number if there are none, because apps can be set up all the same. */
function connected(clients: number, stale: number): NavCount {
  if (clients === 0) return { attention: 0, label: '' };
  const label = `${clients.toLocaleString('en')} connected now`;
  const outdated = stale > 0 ? `${label}, ${formatCount(stale, 'outdated list')}` : label;
  return { total: clients, attention: stale, label: outdated };
}

function counted(total: number, attention: number, words: string): NavCount {
  return { total, attention, label: attention > 0 ? `${total}, ${words}` : total.toLocaleString('en') };
}
