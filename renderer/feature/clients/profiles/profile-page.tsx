import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { Copy, Ellipsis, Link, SearchX, Trash2, UserPlus } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Profile } from '../../../../shared/model/client/profile.ts';
import { isIn, withTools } from '../../../../shared/model/client/profile-selection.ts';
import {
  assignProfile,
  copyProfileUrl,
  createProfile,
  deleteProfile,
  renameProfile,
  selectInProfile,
} from '../../../command/client/profile-actions.ts';
import { clientTitle } from '../../../lib/server/client-title.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { queryWords } from '../../../lib/text/match-words.ts';
import { indexTools } from '../../../lib/tool/tool-rows.ts';
import { useKnownClients } from '../../../store/hook/engine-hooks.ts';
import type { Model } from '../../../store/model.ts';
import { useClients, useModel, useServers } from '../../../store/model-context.tsx';
import { ask } from '../../../store/view-store.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { ProfileCompact } from '../compact/profile-compact.tsx';
import { type ProfileRow, profileRows } from './profile-rows.ts';
import { ProfileTree } from './profile-tree.tsx';
import classes from './profiles.module.css';

interface ProfilePageProps {
  readonly profile: Profile;
  /** True right after it was created: its name is selected for editing. */
  readonly isNew: boolean;
  readonly onNameFocus: () => void;
}

/** Shows one profile: its name, its clients and its contents. */
export function ProfilePage({ profile, isNew, onNameFocus }: ProfilePageProps) {
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const searched = useDeferredValue(query);
  const groups = useGroups();
  const rows = useMemo(() => profileRows(groups, queryWords(searched), opened), [groups, searched, opened]);
  function toggle(key: string): void {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  }
  return (
    <section className={classes.page} aria-label={`Profile ${profile.name}`}>
      <Head profile={profile} isNew={isNew} onNameFocus={onNameFocus} />
      <ProfileCompact profile={profile} />
      <div className={`row ${classes.bar}`}>
        <SearchField label="Search servers and tools" width={240} value={query} onChange={setQuery} />
        <span className="soft small">{summary(profile, groups)}</span>
        {searched !== '' && rows.length > 0 && <FoundButtons profile={profile} rows={rows} />}
      </div>
      {rows.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={searched === '' ? 'No servers yet' : 'Nothing matches'}
          text={searched === '' ? 'Add a server first.' : `Nothing contains “${searched}”.`}
        />
      ) : (
        <ProfileTree profile={profile} rows={rows} onToggle={toggle} />
      )}
    </section>
  );
}

function useGroups() {
  const byServer = useStore(useModel().mirrors.tools, (tools) => tools);
  const order = useServers((state) => state.order);
  return useMemo(
    () => indexTools(order.map((serverKey) => ({ serverKey, tools: byServer[serverKey] ?? [] }))),
    [order, byServer],
  );
}

function summary(profile: Profile, groups: ReturnType<typeof useGroups>): string {
  const chosen = groups.filter(({ serverKey }) => profile.servers[serverKey] !== undefined);
  const tools = chosen.reduce(
    (sum, { serverKey, tools: all }) =>
      sum + all.filter(({ name }) => isIn(profile.servers[serverKey], name)).length,
    0,
  );
  return `${formatCount(tools, 'tool')} of ${formatCount(chosen.length, 'server')}`;
}

function Head({ profile, isNew, onNameFocus }: ProfilePageProps) {
  const model = useModel();
  const { name } = profile;
  const clients = useStore(model.mirrors.profiles, (view) => view.clients);
  const users = Object.keys(clients).filter((client) => clients[client] === name);
  return (
    <header className={`row ${classes.head}`}>
      <div className="grow">
        <NameField key={name} name={name} isNew={isNew} onNameFocus={onNameFocus} />
        <p className="dim tiny">
          {users.length === 0
            ? 'No client uses this profile.'
            : `Used by ${joinWords(
                users.map((user) => clientTitle({ name: user })),
                4,
              )}.`}
        </p>
      </div>
      <AssignMenu name={name} users={users} />
      <Button
        variant="default"
        leftSection={<Link size={13} aria-hidden />}
        onClick={() => void copyProfileUrl(model, name)}
      >
        Copy URL
      </Button>
      <Menu width={170}>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Copy size={14} aria-hidden />}
            onClick={() => void createProfile(model, name)}
          >
            Duplicate
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={() => void deleteProfile(model, name)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}

/** Assigns the profile to one client or to all known ones. */
function AssignMenu({ name, users }: { name: string; users: readonly string[] }) {
  const model = useModel();
  const live = useClients();
  const known = useKnownClients();
  const names = [...new Set([...live, ...known].map((client) => client.name))];
  const others = names.filter((client) => client !== '' && !users.includes(client));
  const assign = async (clients: readonly string[]) => {
    for (const client of clients) await assignProfile(model, { name: client }, name);
  };
  return (
    <Menu width={220}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<UserPlus size={13} aria-hidden />}
          disabled={others.length === 0}
        >
          Assign to client
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map((client) => (
          <Menu.Item key={client} onClick={() => void assign([client])}>
            {clientTitle({ name: client })}
          </Menu.Item>
        ))}
        {others.length > 1 && <Menu.Item onClick={() => void assign(others)}>All of these</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Renames on Enter and on blur; Escape discards the change. */
function NameField({
  name,
  isNew,
  onNameFocus,
}: Omit<ProfilePageProps, 'profile'> & { readonly name: string }) {
  const model = useModel();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Selecting also focuses the field.
    if (isNew) field.current?.select();
  }, [isNew]);
  const [typed, setTyped] = useState(name);
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') event.currentTarget.blur();
    if (event.key === 'Escape') {
      event.stopPropagation();
      setTyped(name);
    }
  }
  return (
    <TextInput
      ref={field}
      aria-label="Profile name"
      value={typed}
      maxLength={64}
      spellCheck={false}
      classNames={{ input: classes.name ?? '' }}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onFocus={onNameFocus}
      onBlur={() => void renameProfile(model, name, typed)}
    />
  );
}

/** Adds or removes everything found, with the number of tools each button changes. */
function FoundButtons({ profile, rows }: { profile: Profile; rows: readonly ProfileRow[] }) {
  const model = useModel();
  const adding = foundChange(profile, rows, true);
  const removing = foundChange(profile, rows, false);
  return (
    <span className="end">
      {adding.keys > 0 && (
        <Button variant="subtle" onClick={() => changeFound(model, profile.name, adding)}>
          {adding.label}
        </Button>
      )}
      {removing.keys > 0 && (
        <Button variant="subtle" onClick={() => changeFound(model, profile.name, removing)}>
          {removing.label}
        </Button>
      )}
    </span>
  );
}

/** Changes a server as a whole if all its tools are found; otherwise only the found tools. */
function foundChange({ name, servers }: Profile, rows: readonly ProfileRow[], on: boolean) {
  const parts = rows.flatMap((row) => {
    if (row.kind !== 'server') return [];
    const { key, hits, tools } = row;
    const selected = servers[key];
    const isWhole = hits.length === tools.length;
    const names = hits.map((tool) => tool.name).filter((tool) => isIn(selected, tool) !== on);
    const whole = on ? ('all' as const) : ('none' as const);
    const isSame = isWhole ? (selected ?? 'none') === whole : names.length === 0;
    return isSame
      ? []
      : [{ key, count: names.length, next: isWhole ? whole : withTools(selected, names, on) }];
  });
  const count = formatCount(
    parts.reduce((sum, part) => sum + part.count, 0),
    'tool',
  );
  return {
    keys: parts.length,
    label: on ? `Add ${count}` : `Remove ${count}`,
    title: on ? `Add ${count} to ${name}?` : `Remove ${count} from ${name}?`,
    done: on ? `${count} added to ${name}.` : `${count} removed from ${name}.`,
    parts: parts.map(({ key, count: tools }) => ({ name: key, note: formatCount(tools, 'tool') })),
    servers: Object.fromEntries(parts.map(({ key, next }) => [key, next])),
  };
}

function changeFound(model: Model, name: string, change: ReturnType<typeof foundChange>): void {
  const { keys, title, parts, label, servers, done } = change;
  const apply = () => void selectInProfile(model, name, servers, done);
  if (keys === 1) apply();
  else ask(model.view, { title, parts, yes: label, onYes: apply });
}
