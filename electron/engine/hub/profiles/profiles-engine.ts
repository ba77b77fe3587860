import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { ProfilesView } from '../../../../shared/model/profile.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ProfilesEngine } from './contract.ts';
import type { ProfileBook } from './profile-book.ts';
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

interface ProfilesHub {
  readonly profiles: ProfileBook;
}

export interface ProfilesEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => ProfilesHub;
  readonly running: () => ProfilesHub | undefined;
  readonly onOpen: Event<ProfilesHub>;
}

/** Creates the profiles part of the engine. */
export function createProfilesEngine({ open, running, onOpen }: ProfilesEngineOptions): ProfilesEngine {
  const changes = new Emitter<ProfilesView>();
  const deleted = new Map<string, { readonly name: string; readonly before: ProfileData }>();
  const edit = async (change: (data: ProfileData) => ProfileData) => open().profiles.edit(change);
  onOpen(({ profiles }) => {
    changes.fire(profiles.view());
    profiles.onChange((view) => changes.fire(view));
  });
  return {
    profiles: {
      list: () => running()?.profiles.view() ?? { profiles: [], clients: {} },
      create: (name, copyOf) => edit((data) => createProfile(data, name, copyOf)),
      rename: (name, newName) => edit((data) => renameProfile(data, name, newName)),
      delete: async (name, force) => {
        const undoId = randomUUID();
        await edit((data) => {
          const next = deleteProfile(data, name, force);
          deleted.set(undoId, { name, before: data });
          return next;
        });
        return undoId;
      },
      undo: async (undoId) => {
        const found = deleted.get(undoId);
        if (found === undefined) throw undoGone();
        await edit((data) => restoreProfile(data, found.name, found.before));
        deleted.delete(undoId);
      },
      select: (name, servers) => edit((data) => selectServers(data, name, servers)),
      setTools: (name, serverKey, names, on) => edit((data) => setTools(data, name, serverKey, names, on)),
      assign: (client, profile) => edit((data) => assignProfile(data, client, profile)),
      setCompact: (wish) => edit((data) => setCompact(data, wish)),
      onChange: changes.event,
    },
  };
}

function undoGone(): ProblemError {
  return new ProblemError(
    problem('profile.undo_gone', 'This can no longer be undone.', 'Create the profile again.'),
  );
}
