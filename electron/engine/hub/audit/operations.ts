import type { ServerChange } from '../../../../shared/model/server-change.ts';
import type { Engine } from '../contract.ts';
import type { AuditNote } from './contract.ts';
import { type Described, type NoteTaker, withNotes } from './with-notes.ts';

/** The audited operations on servers and on the hub (NFR-SEC4). */
type Operation =
  | 'setEnabled'
  | 'restart'
  | 'sleep'
  | 'forceUpdate'
  | 'setCommand'
  | 'signIn'
  | 'signOut'
  | 'add'
  | 'update'
  | 'saveText'
  | 'duplicate'
  | 'remove'
  | 'undoRemove'
  | 'changeMany'
  | 'undoChange'
  | 'restoreConfig'
  | 'undoRestoreConfig'
  | 'setToolsEnabled'
  | 'setPort';

const operations: Described<Engine, Operation> = {
  setEnabled: (keys, enabled) => keys.map((key) => ofServer(enabled ? 'enable' : 'disable', key)),
  restart: (key) => [ofServer('restart', key)],
  sleep: (key) => [ofServer('sleep', key)],
  forceUpdate: (key) => [ofServer('force-update', key)],
  setCommand: (key) => [ofServer('edit', key, 'The command was chosen.')],
  signIn: (key) => [ofServer('sign-in', key)],
  signOut: (key) => [ofServer('sign-out', key)],
  add: (servers) => servers.map(({ key }) => ofServer('add', key)),
  update: (key, _entry, newKey = key) => [renamed(key, newKey)],
  saveText: ({ key, newKey = key, base }) => [
    base === undefined ? ofServer('add', key) : renamed(key, newKey),
  ],
  duplicate: (key) => [ofServer('duplicate', key)],
  remove: (key) => [ofServer('delete', key)],
  undoRemove: () => [{ kind: 'server', action: 'restore' }],
  changeMany: (changes) => changes.flatMap(noteChange),
  restoreConfig: () => [{ kind: 'hub', action: 'restore', text: 'The last good config was restored.' }],
  undoRestoreConfig: () => [{ kind: 'hub', action: 'restore', text: 'Restoring the config was undone.' }],
  undoChange: () => [{ kind: 'server', action: 'restore', text: 'Several changes were undone.' }],
  setToolsEnabled: (key, names, enabled) =>
    names.map((tool) => ({ ...ofServer(enabled ? 'enable-tool' : 'disable-tool', key), tool })),
  setPort: (port) => [{ kind: 'hub', action: 'set-port', text: String(port) }],
};

function noteChange(change: ServerChange): readonly AuditNote[] {
  const { key } = change;
  switch (change.kind) {
    case 'remove':
      return [ofServer('delete', key)];
    case 'tags':
      return [ofServer('edit', key, 'The tags were changed.')];
    case 'favorite':
      return [ofServer('edit', key, change.favorite ? 'Added to favorites.' : 'Removed from favorites.')];
    case 'switch':
      return [ofServer(change.enabled ? 'enable' : 'disable', key)];
    case 'tools':
      return change.names.map((tool) => ({
        ...ofServer(change.enabled ? 'enable-tool' : 'disable-tool', key),
        tool,
      }));
  }
}

function ofServer(action: string, serverKey: string, text?: string): AuditNote {
  return { kind: 'server', action, serverKey, text };
}

function ofHub(action: string, text?: string): AuditNote {
  return { kind: 'hub', action, text };
}

function renamed(key: string, newKey: string): AuditNote {
  return newKey === key ? ofServer('edit', key) : ofServer('rename', key, `Renamed to ${newKey}.`);
}

const imports: Described<Engine['imports'], 'add' | 'move' | 'undo'> = {
  add: ({ entries, inputs }) => [
    ...entries.map(({ key }) => ofServer('add', key, 'Imported.')),
    ...[...entries.flatMap(({ secrets }) => secrets), ...inputs].flatMap(({ secretName }) =>
      secretName === undefined ? [] : ofHub('set-secret', `${secretName}, from an import`),
    ),
  ],
  move: ({ apps }) => apps.map(({ client }) => ofHub('connect-client', client)),
  undo: () => [{ kind: 'server', action: 'undo-import' }],
};

const secrets: Described<Engine['secrets'], 'set' | 'delete'> = {
  set: (name, _value, replace) => [ofHub(replace ? 'replace-secret' : 'set-secret', name)],
  delete: (name) => [ofHub('delete-secret', name)],
};

const values: Described<Engine['values'], 'enter' | 'setClient' | 'undo'> = {
  enter: (key) => [ofServer('edit', key, 'A value was entered, and stored as a secret.')],
  setClient: (key) => [ofServer('edit', key, 'The sign-in client was entered.')],
  undo: () => [{ kind: 'server', action: 'restore' }],
};

type ProfileOperation = 'create' | 'rename' | 'delete' | 'undo' | 'select' | 'setTools' | 'assign';

const profiles: Described<Engine['profiles'], ProfileOperation> = {
  create: (name, copyOf) => [
    ofHub('create-profile', copyOf === undefined ? name : `${name}, a copy of ${copyOf}`),
  ],
  rename: (name, newName) => [ofHub('rename-profile', `${name} was renamed to ${newName}.`)],
  delete: (name) => [ofHub('delete-profile', name)],
  undo: () => [ofHub('restore-profile')],
  select: (name, servers) => [ofHub('edit-profile', `${name}: ${Object.keys(servers).join(', ')}`)],
  setTools: (name, serverKey, tools, on) => [
    { ...ofHub('edit-profile', `${name}: ${on ? 'with' : 'without'} ${tools.join(', ')}`), serverKey },
  ],
  assign: (client, profile) => [
    ofHub('assign-profile', profile === undefined ? `${client}: none` : `${client}: ${profile}`),
  ],
};

const guard: Described<Engine['guard'], 'decide' | 'undo'> = {
  decide: (serverKey, tools, decision) =>
    tools.map(({ name }) => ({ ...ofServer(`${decision}-definition`, serverKey), tool: name })),
  undo: () => [{ kind: 'server', action: 'undo-definition-decision' }],
};

const connect: Described<Engine['connect'], 'apply' | 'undo' | 'setFile'> = {
  apply: (id) => [ofHub('connect-client', id)],
  undo: (id) => [ofHub('disconnect-client', id)],
  setFile: (id, file) => [ofHub('choose-client-file', file === undefined ? `${id}: the default one` : id)],
};

const backup: Described<Engine['backup'], 'make' | 'restore' | 'undo'> = {
  make: ({ passphrase }) => [ofHub('back-up', passphrase === undefined ? undefined : 'With secrets.')],
  restore: (_text, { how }) => [ofHub('restore-backup', how)],
  undo: () => [ofHub('undo-restore-backup')],
};

type SkillOperation = 'correct' | 'release' | 'decide' | 'reclassify';

/** Skill names may be the user's own, but what a tool is good for is not secret. */
const skills: Described<Engine['skills'], SkillOperation> = {
  correct: (serverKey, tool, chosen) => [
    { ...ofServer('set-skills', serverKey, chosen.length === 0 ? 'None.' : chosen.join(', ')), tool },
  ],
  release: (serverKey, tool) => [{ ...ofServer('release-skills', serverKey), tool }],
  decide: (suggestion, decision) => [ofHub(`${decision}-skill`, suggestion)],
  reclassify: (servers) => [ofHub('find-skills-anew', servers?.join(', ') ?? 'of all servers')],
};

const search: Described<Engine['search'], 'configure'> = {
  configure: ({ classifier, meaning }) => [
    ofHub('configure-search', `skills by ${classifier.kind}, semantic search by ${meaning.kind}`),
  ],
};

/** Returns the same engine with its operations recorded: who asked for them, and how they ended. */
export function withNotedOperations(engine: Engine, taker: NoteTaker): Engine {
  return Object.assign(engine, withNotes(engine, operations, taker), {
    backup: { ...engine.backup, ...withNotes(engine.backup, backup, taker) },
    connect: { ...engine.connect, ...withNotes(engine.connect, connect, taker) },
    guard: { ...engine.guard, ...withNotes(engine.guard, guard, taker) },
    imports: { ...engine.imports, ...withNotes(engine.imports, imports, taker) },
    profiles: { ...engine.profiles, ...withNotes(engine.profiles, profiles, taker) },
    search: { ...engine.search, ...withNotes(engine.search, search, taker) },
    secrets: { ...engine.secrets, ...withNotes(engine.secrets, secrets, taker) },
    values: { ...engine.values, ...withNotes(engine.values, values, taker) },
    skills: { ...engine.skills, ...withNotes(engine.skills, skills, taker) },
  });
}
