import { toProblem } from '../../../../shared/error/problem.ts';
import type { Engine } from '../contract.ts';
import type { AuditNote } from './contract.ts';

/** What one operation is about: a note for each server of it, made before it is known how it ends. */
type Describe<N extends keyof Operations> = (...args: Parameters<Engine[N]>) => readonly AuditNote[];

/** The operations on servers (NFR-SEC4). */
type Operations = Pick<
  Engine,
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
  | 'setToolsEnabled'
  | 'setPort'
>;

const descriptions: { readonly [N in keyof Operations]: Describe<N> } = {
  setEnabled: (keys, enabled) => keys.map((key) => ofServer(enabled ? 'enable' : 'disable', key)),
  restart: (key) => [ofServer('restart', key)],
  sleep: (key) => [ofServer('sleep', key)],
  forceUpdate: (key) => [ofServer('force-update', key)],
  setCommand: (key) => [ofServer('edit', key, 'Its command was chosen.')],
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
  setToolsEnabled: (key, names, enabled) =>
    names.map((tool) => ({ ...ofServer(enabled ? 'enable-tool' : 'disable-tool', key), tool })),
  setPort: (port) => [{ kind: 'hub', action: 'set-port', text: String(port) }],
};

function ofServer(action: string, serverKey: string, text?: string): AuditNote {
  return { kind: 'server', action, serverKey, text };
}

function renamed(key: string, newKey: string): AuditNote {
  return newKey === key ? ofServer('edit', key) : ofServer('rename', key, `It is called ${newKey} now.`);
}

/** The same engine, whose operations are noted once it is known how they ended, with whoever asked for them. */
export function withNotedOperations(
  engine: Engine,
  note: (note: AuditNote) => void,
  actor: () => string,
): Engine {
  const noted = Object.fromEntries(
    (Object.keys(descriptions) as (keyof Operations)[]).map((name) => [
      name,
      notedOne(engine, name, note, actor),
    ]),
  );
  // Each is a function of the same kind as the one it stands for.
  return Object.assign(engine, noted as Partial<Operations>);
}

function notedOne<N extends keyof Operations>(
  engine: Engine,
  name: N,
  note: (note: AuditNote) => void,
  actor: () => string,
): (...args: Parameters<Engine[N]>) => Promise<unknown> {
  const operate = engine[name] as (...args: Parameters<Engine[N]>) => Promise<unknown>;
  return async (...args) => {
    const notes = descriptions[name](...args).map((one) => ({ ...one, actor: actor() }));
    try {
      const result = await operate(...args);
      for (const one of notes) note(one);
      return result;
    } catch (error) {
      for (const one of notes) note({ ...one, outcome: 'failed', text: toProblem(error).sentence });
      throw error;
    }
  };
}
