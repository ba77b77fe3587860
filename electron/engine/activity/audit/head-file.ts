import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { createCoalescer } from '../../base/coalescer.ts';
import type { StateQueries } from '../../store/db/tables.ts';
import { writePrivateFile } from '../../store/files/atomic-file.ts';

const headSchema = z.object({ seq: z.number().int().positive(), hash: z.string() });

/** The end of the chain. */
export type AuditEnd = Readonly<z.infer<typeof headSchema>>;

/** Returns the file that notes where the log ended: it reveals a log that was shortened or removed. */
export function headFileOf(log: string): string {
  return `${log}.head`;
}

/** Undefined if there is no note, or it cannot be read. */
export async function readHead(file: string): Promise<AuditEnd | undefined> {
  try {
    return headSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Returns a sentence that says why this log is not the one that ended there; undefined if it is. `db` is
 * undefined if there is no database.
 */
export async function missingSince(end: AuditEnd, db: StateQueries | undefined): Promise<string | undefined> {
  const row = await db?.selectFrom('audit_log').select('hash').where('seq', '=', end.seq).executeTakeFirst();
  if (row !== undefined)
    return row.hash === end.hash ? undefined : `Row ${end.seq} has changed: the log was restarted.`;
  const anchor = await db?.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  // The row was old enough to be deleted.
  if (anchor !== undefined && anchor.from_seq >= end.seq) return undefined;
  return `The log ended at row ${end.seq} (${end.hash.slice(0, 12)}…) when it was last written, but that row is missing now.`;
}

/** Writes down where the log ends, with a short delay: after a crash the note is behind, but never ahead. */
export class HeadNotes {
  readonly #file: string;
  readonly #changed: { mark(): void; flush(): void };
  #end: AuditEnd | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#changed = createCoalescer(clock, noteIntervalMs, () => this.#write());
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
    // A failed note is corrected with the next rows.
    this.#writing = this.#writing.then(() => writePrivateFile(this.#file, text)).catch(() => undefined);
  }
}

/** Milliseconds. */
const noteIntervalMs = 1_000;
