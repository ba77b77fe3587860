import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { ConfigStore } from '../contract.ts';
import { type AppliedChanges, changeMany, undoMany } from './change-many.ts';
import { type RemovedServer, removeServer, restoreServer } from './edit.ts';
import { requireFreeKey, requireServer } from './edit-checks.ts';
import type { EditTarget } from './edit-target.ts';

type UndoableEdits = Pick<ConfigStore, 'remove' | 'undoRemove' | 'changeMany' | 'undoChange'>;

/** Creates the edits that can be undone, and remembers what each has changed. */
export function createUndoableEdits(sink: EditTarget): UndoableEdits {
  const removed = new Map<string, RemovedServer>();
  const applied = new Map<string, AppliedChanges>();
  return {
    remove: async (key) => {
      const taken = await sink.edit((good) => {
        requireServer(good, key);
        const result = removeServer(good.parsed.body, key);
        return { body: result?.after ?? good.parsed.body, result };
      });
      const id = randomUUID();
      if (taken !== undefined) removed.set(id, taken);
      return id;
    },
    undoRemove: async (undoId) => {
      const taken = removed.get(undoId) ?? cannotUndo('Add the server again.');
      await sink.edit((good) => {
        requireFreeKey(taken.key, new Set(good.servers.map(({ key }) => key)));
        return { body: restoreServer(good.parsed.body, taken), result: undefined };
      });
      removed.delete(undoId);
    },
    changeMany: async (changes) => {
      const result = await sink.edit((good) => {
        const many = changeMany(good, changes);
        return { body: many.after, result: many };
      });
      const id = randomUUID();
      applied.set(id, result);
      const [oldest] = applied.keys();
      if (applied.size > maxUndoEntries && oldest !== undefined) applied.delete(oldest);
      return id;
    },
    undoChange: async (undoId) => {
      const many = applied.get(undoId) ?? cannotUndo('Change it again by hand.');
      await sink.edit((good) => ({ body: undoMany(good, many), result: undefined }));
      applied.delete(undoId);
    },
  };
}

/** Maximum number of changes that can be undone; each stores two texts of the file. */
const maxUndoEntries = 50;

function cannotUndo(fix: string): never {
  throw new ProblemError(problem('config.unknown_server', 'This can no longer be undone.', fix));
}
