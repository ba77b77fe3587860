import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { createCoalescer } from '../../../base/coalescer.ts';
import { writePrivateFile } from '../../atomic-file.ts';
import type { StateQueries } from '../tables.ts';

const headSchema = z.object({ seq: z.number().int().positive(), hash: z.string() });

/** The end of the chain. */
export type AuditEnd = Readonly<z.infer<typeof headSchema>>;

/** Where the log ended when that was last noted, beside it: one that is shorter, or gone, is found out by it. */
export function headFileOf(log: string): string {
  return `${log}.head`;
}

/** Undefined where nothing was noted, or nothing can be read. */
export async function readHead(file: string): Promise<AuditEnd | undefined> {
  try {
    return headSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Why the log is not the one that ended there, in a sentence; undefined where it is. `db`: undefined where there is none. */
export async function missingSince(end: AuditEnd, db: StateQueries | undefined): Promise<string | undefined> {
  const row = await db?.selectFrom('audit_log').select('hash').where('seq', '=', end.seq).executeTakeFirst();
  if (row !== undefined)
    return row.hash === end.hash ? undefined : `Row ${end.seq} has changed: the log was restarted.`;
  const anchor = await db?.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  // It was old enough to be forgotten.
  if (anchor !== undefined && anchor.from_seq >= end.seq) return undefined;
  return `The log ended at row ${end.seq} (${end.hash.slice(0, 12)}…) when it was last written, and that row is not in it any more.`;
}

/** Notes where the log ends, a moment later: it is behind after a kill, and never ahead. */
export class HeadNotes {
  readonly #file: string;
  readonly #changed: { mark(): void; flush(): void };
  #end: AuditEnd | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#changed = createCoalescer(clock, notedEvery, () => this.#write());
  }

  note(end: AuditEnd): void {
    this.#end = end;
    this.#changed.mark();
  }

  async flush(): Promise<void> {
    this.#changed.flush();
    await this.#writing;
  }

  #write(): void {
    const text = JSON.stringify(this.#end);
    // What cannot be written now is with the next rows.
    this.#writing = this.#writing.then(() => writePrivateFile(this.#file, text)).catch(() => undefined);
  }
}

/** Milliseconds. */
const notedEvery = 1_000;
