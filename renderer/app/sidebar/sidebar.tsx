import { Tooltip, UnstyledButton } from '@mantine/core';
import { Radio, Search } from 'lucide-react';
import { useStore } from 'zustand/react';
import { copyConnection } from '../../command/app/app-actions.ts';
import { openView } from '../../command/navigate.ts';
import { viewLooks } from '../../command/view-commands.ts';
import { comboForAria } from '../../lib/key-combo.ts';
import { attentionCount } from '../../lib/server/server-status.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useModel, useServers, useView } from '../../store/model-context.tsx';
import { setPalette, type View, views } from '../../store/view-store.ts';
import { KeyHint } from '../../ui/text/key-hint.tsx';
import classes from './sidebar.module.css';

/** Navigation to the five views, with their counts and attention badges. */
export function Sidebar({ narrow }: { narrow: boolean }) {
  const counts = useNavCounts();
  return (
    <nav className={classes.sidebar} data-narrow={narrow} aria-label="Main">
      <div className={`row ${classes.brand}`}>
        <Logo />
        <span className={classes.name}>Patchbay</span>
      </div>
      <PaletteButton narrow={narrow} />
      <ul className={classes.items}>
        {views.map((view, index) => (
          <NavItem key={view} view={view} count={counts[view]} narrow={narrow} combo={`mod+${index + 1}`} />
        ))}
      </ul>
      <HubFoot narrow={narrow} />
    </nav>
  );
}

function PaletteButton({ narrow }: { narrow: boolean }) {
  const { view, mac } = useModel();
  return (
    <Tooltip label="Search and commands" position="right" disabled={!narrow}>
      <UnstyledButton
        className={`row ${classes.palette}`}
        onClick={() => setPalette(view, true)}
        aria-label="Search and commands"
        aria-keyshortcuts={comboForAria('mod+k', mac)}
      >
        <Search size={14} aria-hidden />
        {!narrow && <span className={classes.paletteText}>Search</span>}
        {!narrow && <KeyHint combo="mod+k" />}
      </UnstyledButton>
    </Tooltip>
  );
}

interface NavItemProps {
  readonly view: View;
  readonly count: NavCount;
  readonly narrow: boolean;
  readonly combo: string;
}

function NavItem({ view, count, narrow, combo }: NavItemProps) {
  const model = useModel();
  const current = useView((state) => state.place.view === view);
  const { title, icon: Icon } = viewLooks[view];
  const label = [title, count.label].filter(Boolean).join(', ');
  return (
    <li>
      <Tooltip label={label} position="right" disabled={!narrow}>
        <UnstyledButton
          className={`row ${classes.item}`}
          aria-current={current ? 'page' : undefined}
          aria-label={label}
          aria-keyshortcuts={comboForAria(combo, model.mac)}
          onClick={() => openView(model, view)}
        >
          <Icon size={16} strokeWidth={1.8} aria-hidden />
          <span className={classes.itemText}>{title}</span>
          {count.attention > 0 && (
            <span className={classes.attention} aria-hidden>
              {count.attention}
            </span>
          )}
          {count.total !== undefined && (
            <span className={classes.count} aria-hidden>
              {count.total.toLocaleString('en')}
            </span>
          )}
        </UnstyledButton>
      </Tooltip>
    </li>
  );
}

/** Shows the hub's address; a click copies the URL. */
function HubFoot({ narrow }: { narrow: boolean }) {
  const model = useModel();
  const endpoint = useStore(model.mirrors.hub, (hub) => hub?.endpoint);
  const known = useStore(model.mirrors.hub, (hub) => hub !== undefined);
  if (!known) return null;
  const address = endpoint === undefined ? 'HTTP endpoint off' : new URL(endpoint).host;
  return (
    <Tooltip label={endpoint === undefined ? address : `Copy ${endpoint}`} position="right">
      <button
        type="button"
        className={`row bare ${classes.foot}`}
        data-serving={endpoint !== undefined}
        disabled={endpoint === undefined}
        onClick={() => void copyConnection(model, 'url')}
        aria-label={endpoint === undefined ? address : `Serving on ${address}. Copy the URL`}
      >
        <Radio size={14} aria-hidden />
        {!narrow && (
          <span className="truncate">
            {endpoint === undefined ? address : `Serving on port ${new URL(endpoint).port}`}
          </span>
        )}
      </button>
    </Tooltip>
  );
}

/** The app's logo: many sockets, one plug. */
function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path
        d="M6.5 7.5c5 0 4.5 4.5 11 4.5M6.5 12h11M6.5 16.5c5 0 4.5-4.5 11-4.5"
        stroke="#fff"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <circle cx="6.5" cy="7.5" r="1.7" fill="#fff" />
      <circle cx="6.5" cy="12" r="1.7" fill="#fff" />
      <circle cx="6.5" cy="16.5" r="1.7" fill="#fff" />
      <circle cx="17.5" cy="12" r="2.4" fill="#fff" />
    </svg>
  );
}

interface NavCount {
  readonly total?: number;
  /** Number of things that need the user; zero hides the badge. */
  readonly attention: number;
  /** The counts as text. */
  readonly label: string;
}

/** Returns the numbers beside the sidebar's entries. */
function useNavCounts(): Readonly<Record<View, NavCount>> {
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
