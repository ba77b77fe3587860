import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { problemSchema } from '../../../../shared/error/problem-schema.ts';
import { readTextIfExists, writePrivateFile } from '../files/atomic-file.ts';
import { removeFile } from '../files/replace-file.ts';

/**
 * Marks that a database with restrictions was set aside, until somebody decides how to continue. The mark is
 * a file beside the database, so that any hub or command that opens it next knows.
 */
export class LossMark {
  readonly #file: string;
  readonly #report: (problem: Problem | undefined) => void;
  #problem: Problem | undefined;

  constructor(database: string, report: (problem: Problem | undefined) => void) {
    this.#file = `${database}.lost`;
    this.#report = report;
  }

  /** The loss, as far as it has been read or set. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Returns the loss; undefined if there was none, or somebody has decided how to continue. */
  async load(): Promise<Problem | undefined> {
    if (this.#problem !== undefined) return this.#problem;
    // An unreadable mark counts as a mark.
    const text = await readTextIfExists(this.#file).catch(() => '');
    if (text !== undefined) this.#update(read(text));
    return this.#problem;
  }

  /** Has to be set before the damaged file is moved: a crash in between must not forget the loss. */
  async set(why: Problem): Promise<void> {
    await writePrivateFile(this.#file, JSON.stringify(why));
    this.#update(why);
  }

  async clear(): Promise<void> {
    await removeFile(this.#file);
    this.#update(undefined);
  }

  #update(why: Problem | undefined): void {
    this.#problem = why;
    this.#report(why);
  }
}

/** Tells what to do after restrictions were lost. */
export const lossFix =
  'Until you decide how to continue, local clients that could call everything still can, all others are blocked, and so are tools that you have not reviewed. To continue with the recovered data, open Clients, Access in the window, or run: patchbay access continue. Then review what it lists, and run: patchbay guard list';

function read(text: string): Problem {
  return (
    parse(text) ??
    problem('access.lost', 'The database with access rules and approvals was damaged.', lossFix)
  );
}

/** Returns undefined if the mark has no readable content. */
function parse(text: string): Problem | undefined {
  try {
    return problemSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
