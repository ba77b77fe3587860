import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import {
  assignProfile,
  createProfile,
  deleteProfile,
  type ProfileData,
  renameProfile,
  restoreProfile,
  selectServers,
  setCompact,
  setTools,
} from './profile-data.ts';
import type { ProfileStore } from './profile-store.ts';

export function profileOperations(profiles: ProfileStore) {
  const deleted = new Map<string, { readonly name: string; readonly before: ProfileData }>();
  const edit = (change: (data: ProfileData) => ProfileData) => profiles.edit(change);
  return {
    'profile.list': () => profiles.view(),
    'profile.create': ({ name, copyOf }) => edit((data) => createProfile(data, name, copyOf)),
    'profile.rename': ({ name, newName }) => edit((data) => renameProfile(data, name, newName)),
    'profile.delete': async ({ name, force }) => {
      const undoId = randomUUID();
      await edit((data) => {
        const next = deleteProfile(data, name, force);
        deleted.set(undoId, { name, before: data });
        return next;
      });
      return { undoId };
    },
    'profile.undo': async ({ undoId }) => {
      const found = deleted.get(undoId);
      if (found === undefined) throw undoGone();
      await edit((data) => restoreProfile(data, found.name, found.before));
      deleted.delete(undoId);
    },
    'profile.select': ({ name, servers }) => edit((data) => selectServers(data, name, servers)),
    'profile.setTools': ({ name, serverKey, names, on }) =>
      edit((data) => setTools(data, name, serverKey, names, on)),
    'profile.assign': ({ client, profile }) => edit((data) => assignProfile(data, client, profile)),
    'profile.setCompact': (wish) => edit((data) => setCompact(data, wish)),
  } satisfies Partial<OperationHandlers>;
}

function undoGone(): ProblemError {
  return new ProblemError(
    problem('profile.undo_gone', 'This can no longer be undone.', 'Create the profile again.'),
  );
}
