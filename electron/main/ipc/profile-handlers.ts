import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `profile-calls.ts`, in the same order. */
export function profileHandlers({ engine: { profiles } }: HandlerContext) {
  return {
    'profile.list': () => profiles.list(),
    'profile.create': ({ name, copyOf }) => profiles.create(name, copyOf),
    'profile.rename': ({ name, newName }) => profiles.rename(name, newName),
    'profile.delete': async ({ name, force }) => ({ undoId: await profiles.delete(name, force) }),
    'profile.undo': ({ undoId }) => profiles.undo(undoId),
    'profile.select': ({ name, servers }) => profiles.select(name, servers),
    'profile.setTools': ({ name, serverKey, names, on }) => profiles.setTools(name, serverKey, names, on),
    'profile.assign': ({ client, profile }) => profiles.assign(client, profile),
    'profile.setCompact': (wish) => profiles.setCompact(wish),
  } satisfies Partial<IpcHandlers>;
}
