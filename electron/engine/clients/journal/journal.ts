import { open } from 'node:fs/promises';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { parseJson } from '../../../../shared/json.ts';
import type { Clock } from '../../base/clock.ts';
import { readTextIfExists } from '../../store/atomic-file.ts';
import { type JournalLine, journalLineSchema, journalVersion, type NewLine } from './journal-line.ts';

/** The record of changes to other programs' files, one JSON line each; append-only. */
export interface Journal {
  read(): Promise<readonly JournalLine[]>;
  /** Resolves when the line has been flushed to disk. */
  append(line: NewLine): Promise<void>;
}

export function createJournal(file: string, clock: Clock): Journal {
  return {
    async read() {
      const text = (await readTextIfExists(file)) ?? '';
      return text.split('\n').flatMap((line) => parseLine(file, line));
    },
    async append(line) {
      const text = `${JSON.stringify({ v: journalVersion, at: clock.now(), ...line })}\n`;
      const handle = await open(file, 'a+', 0o600);
      try {
        const { size } = await handle.stat();
        const last = Buffer.alloc(1);
        if (size > 0) await handle.read(last, 0, 1, size - 1);
        // The last writer was killed in the middle of a line.
        const isTorn = size > 0 && last.toString() !== '\n';
        await handle.appendFile(isTorn ? `\n${text}` : text);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

/** Skips torn lines; a line of a newer version is an error, never guessed at. */
function parseLine(file: string, line: string): readonly JournalLine[] {
  if (line.trim() === '') return [];
  const value = parseJson(line);
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
  if (typeof version === 'number' && version > journalVersion)
    throw new ProblemError(newerVersionProblem(file));
  const parsed = journalLineSchema.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}

function newerVersionProblem(file: string) {
  const sentence = 'The record of connected clients was written by a newer Patchbay.';
  return problem('hub.newer_data', sentence, 'Start the newer version, or move the file away.', { file });
}
