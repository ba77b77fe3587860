import { randomUUID } from 'node:crypto';
import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { ConfigStore } from '../contract.ts';

/** A file before and after it was replaced with the last valid text. */
export interface ReplacedFile {
  /** Absent if there was no file. */
  readonly before: string | undefined;
  readonly after: string;
}

interface RestoreSink {
  restoreGood(): Promise<ReplacedFile>;
  undoRestore(replaced: ReplacedFile): Promise<void>;
}

/** Restores the last valid config, and can undo that while this program runs. */
export function createRestorer(sink: RestoreSink): Pick<ConfigStore, 'restoreGood' | 'undoRestore'> {
  const restored = new Map<string, ReplacedFile>();
  return {
    restoreGood: async () => {
      const replaced = await sink.restoreGood();
      const id = randomUUID();
      restored.clear();
      restored.set(id, replaced);
      return id;
    },
    undoRestore: async (undoId) => {
      const replaced = restored.get(undoId);
      if (replaced === undefined) throw new ProblemError(cannotUndo());
      await sink.undoRestore(replaced);
      restored.delete(undoId);
    },
  };
}

export function noEarlierConfig(file: string): Problem {
  const sentence = 'There is no earlier config to restore.';
  return problem('config.file_not_found', sentence, 'Fix the file by hand.', { file });
}

export function changedSinceRestore(file: string): Problem {
  const sentence = `${file} has changed since it was restored.`;
  const fix = 'The broken text is saved as run/mcp.bad.json in the data folder; copy from it by hand.';
  return problem('config.changed_meanwhile', sentence, fix, { file });
}

function cannotUndo(): Problem {
  const fix = 'The broken text is saved as run/mcp.bad.json in the data folder.';
  return problem('config.changed_meanwhile', 'This can no longer be undone.', fix);
}
