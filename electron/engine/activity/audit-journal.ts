import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { AuditEntry } from '../store/state/audit/audit.ts';
import type { DeskInput, RecordHead } from './contract.ts';
import { auditId, known, recordRow, rowWidth } from './record-row.ts';

/**
 * Keeps what was recorded on disk until a desk has it in its files, so that a killed hub loses nothing of it; the next hub's
 * desk takes over what is left. Entries that no desk is to be given are lines of the journal. Batches for a desk are lines of
 * a file of their own until it has kept them, without what calls carried: nothing is masked on the hub's thread.
 */
export class AuditJournal {
  readonly #file: string;
  readonly #report: (error: unknown) => void;
  #pendingLines: { readonly number: number; readonly line: string }[] = [];
  /** Characters in the file of those lines. */
  #pendingSize = 0;

  constructor(file: string, report: (error: unknown) => void) {
    this.#file = file;
    this.#report = report;
    this.#try(() => {
      const left = readIfThere(this.#pending);
      if (left !== undefined && left !== '') appendFileSync(file, `\n${left}`, { mode: 0o600 });
      rmSync(this.#pending, { force: true });
    });
  }

  get #pending(): string {
    return `${this.#file}.pending`;
  }

  /** Where the desk finds what it takes over. */
  get taken(): string {
    return `${this.#file}.taken`;
  }

  append(entries: readonly AuditEntry[]): void {
    const lines = entries.map(lineOf).join('');
    if (lines !== '') this.#try(() => appendFileSync(this.#file, lines, { mode: 0o600 }));
  }

  /** A desk is to be given it. */
  appendPending(batch: Batch): void {
    this.#try(() => {
      const line = pendingLine(batch);
      if (line === '') return;
      this.#pendingLines.push({ number: batch.number, line });
      this.#pendingSize += line.length;
      if (this.#pendingSize > largestPending) this.#writeAnew();
      else appendFileSync(this.#pending, line, { mode: 0o600 });
    });
  }

  /** All batches up to this one are in the desk's files. */
  kept(number: number): void {
    const first = this.#pendingLines.findIndex((line) => line.number > number);
    this.#pendingLines = first < 0 ? [] : this.#pendingLines.slice(first);
    if (this.#pendingLines.length > 0 || this.#pendingSize === 0) return;
    this.#pendingSize = 0;
    this.#try(() => truncateSync(this.#pending));
  }

  /** Everything is in the desk's files, and nothing more comes. */
  close(): void {
    this.#try(() => rmSync(this.#pending, { force: true }));
  }

  /** What was written so far is the desk's. A desk that ended before its time may have left something of its own. */
  handOver(): void {
    this.#try(() => {
      const left = readIfThere(this.taken);
      if (left === undefined) renameIfThere(this.#file, this.taken);
      else {
        appendFileSync(this.taken, `\n${readIfThere(this.#file) ?? ''}`);
        rmSync(this.#file, { force: true });
      }
    });
  }

  /** While calls come without a pause there is always a batch that is not kept yet. */
  #writeAnew(): void {
    this.#pendingLines = this.#pendingLines.slice(-mostPending);
    const text = this.#pendingLines.map(({ line }) => line).join('');
    this.#pendingSize = text.length;
    writeFileSync(this.#pending, text, { mode: 0o600 });
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#report(error);
    }
  }
}

type Batch = Extract<DeskInput, { readonly kind: 'add' }>;

/** A batch without its bodies, as it stands in a line. `ids`: those its calls have in the audit log. */
export interface JournaledBatch extends Pick<Batch, 'heads' | 'rows'> {
  readonly ids: readonly string[];
}

/** Names that a client made up are left out, and what errors say, since nothing is masked here; news are nothing without it. */
function pendingLine({ heads, rows, notes }: Batch): string {
  const all: readonly RecordHead[] = JSON.parse(heads);
  const told = all.map(({ text: _text, ...head }) => (isNamed(head) ? head : { ...head, name: undefined }));
  const ids = auditIds(all, rows);
  const isNews = ids.length === 0 && all.every(({ kind }) => kind === 'hub');
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('base64');
  const records = isNews ? '' : lineOf({ ids, heads: told, rows: bytes });
  return `${records}${notes.map(lineOf).join('')}`;
}

function isNamed({ serverKey, method }: RecordHead): boolean {
  return serverKey !== undefined && method !== 'resources/read';
}

function auditIds(heads: readonly RecordHead[], rows: Float64Array): readonly string[] {
  const ids: string[] = [];
  for (let row = 0; row < rows.length; row += rowWidth) {
    const number = known(rows[row + recordRow.number]);
    const { audit } = heads[rows[row + recordRow.head] ?? 0] ?? {};
    if (number !== undefined && audit !== undefined) ids.push(auditId(audit, number));
  }
  return ids;
}

/** Reads a line that {@link AuditJournal} wrote; one that was being written when the hub was killed is none. */
export function readLine(line: string): AuditEntry | JournaledBatch | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    // Only this program writes them.
    if ('id' in value && 'kind' in value && 'at' in value) return value as AuditEntry;
    if (!('ids' in value && 'heads' in value && 'rows' in value)) return undefined;
    const bytes = Uint8Array.from(Buffer.from(String(value.rows), 'base64'));
    const ids = value.ids as readonly string[];
    return { ids, heads: JSON.stringify(value.heads), rows: new Float64Array(bytes.buffer) };
  } catch {
    return undefined;
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** Characters, after which the file is written anew. */
const largestPending = 4 * 1024 * 1024;
/** Batches in a file that is written anew, far more than a desk that keeps up leaves waiting. */
const mostPending = 200;

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
