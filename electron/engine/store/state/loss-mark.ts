import { rm } from 'node:fs/promises';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { problemSchema } from '../../../../shared/error/problem-schema.ts';
import { readTextIfExists, writePrivateFile } from '../atomic-file.ts';

/**
 * Says that a database was set aside whose rows forbade something, until somebody has said how to go on. It lies beside
 * the database, so that whoever opens that next, hub or command, knows it as well.
 */
export class LossMark {
  readonly #file: string;
  readonly #report: (problem: Problem | undefined) => void;
  #problem: Problem | undefined;

  constructor(database: string, report: (problem: Problem | undefined) => void) {
    this.#file = `${database}.lost`;
    this.#report = report;
  }

  /** What was lost, as far as it has been looked at or set. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** What was lost; undefined where nothing was, or somebody has said how to go on. */
  async look(): Promise<Problem | undefined> {
    if (this.#problem !== undefined) return this.#problem;
    // What cannot be read is taken for a mark.
    const text = await readTextIfExists(this.#file).catch(() => '');
    if (text !== undefined) this.#tell(read(text));
    return this.#problem;
  }

  /** Before what was lost is out of the way: a kill in between must not forget it. */
  async set(why: Problem): Promise<void> {
    await writePrivateFile(this.#file, JSON.stringify(why));
    this.#tell(why);
  }

  async clear(): Promise<void> {
    await rm(this.#file, { force: true });
    this.#tell(undefined);
  }

  #tell(why: Problem | undefined): void {
    this.#problem = why;
    this.#report(why);
  }
}

/** What has to be done where rows are gone that forbade something. */
export const lossFix =
  'Until you decide how to continue, local clients that could call everything still can, nobody else may call anything, and unknown tools are blocked. To continue with the recovered data, open Clients, Access in the window, or run: patchbay access begin-anew. Then look at what it lists, and at patchbay guard list.';

function read(text: string): Problem {
  return parse(text) ?? problem('access.lost', 'What was granted and approved was damaged.', lossFix);
}

/** Undefined where it says nothing more than that it is there. */
function parse(text: string): Problem | undefined {
  try {
    return problemSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
