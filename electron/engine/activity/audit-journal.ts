import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { isLocked } from '../store/files/replace-file.ts';
import type { ActivityBatch, RecordList, WrittenNote, WrittenRecords } from './contract.ts';
import { toRecordList } from './read-records.ts';

/**
 * Keeps records on disk until the activity worker has written them to its databases, so that a hub that is
 * killed loses none; the next hub's worker takes over what is left. Entries that go to no worker are lines of
 * the journal. Batches for a worker are lines of a second file until it has written them, without the contents
 * of calls, which are not masked on the hub's thread.
 */
export class AuditJournal {
  readonly #file: string;
  readonly #report: (error: unknown) => void;
  /** Batches in the pending file that the worker has not written yet, with their sizes in bytes. */
  #pendingBatches: { readonly number: number; readonly size: number }[] = [];
  /** Bytes in the pending file. */
  #pendingSize = 0;
  /** Files that may end with half a line, since the last write to them has failed. */
  readonly #torn = new Set<string>();
  /** Files whose last write has failed, as reported. */
  readonly #unwritable = new Set<string>();

  /** `report` gets each error, and undefined once lines can be written again. */
  constructor(file: string, report: (error: unknown) => void) {
    this.#file = file;
    this.#report = report;
    // The program before may have been stopped in the middle of a line.
    this.#torn.add(file);
    this.#try(file, () => {
      const leftover = readIfThere(this.#pending);
      if (leftover !== undefined && leftover !== '') {
        appendFileSync(file, `\n${leftover}`, { mode: 0o600 });
        // Windows opens no file that is deleted while another program reads it.
        truncateSync(this.#pending);
      }
      rmSync(this.#draft, { force: true });
    });
  }

  get #pending(): string {
    return `${this.#file}.pending`;
  }

  get #draft(): string {
    return `${this.#pending}.new`;
  }

  /** Path where the worker finds what it takes over. */
  get takeoverFile(): string {
    return `${this.#file}.taken`;
  }

  /** Returns whether the entries were written. */
  append(entries: readonly WrittenNote[]): boolean {
    const lines = Buffer.from(entries.map(lineOf).join(''));
    return lines.length === 0 || this.#try(this.#file, () => this.#appendTo(this.#file, lines));
  }

  /** Writes down a batch for the worker. */
  appendPending(batch: ActivityBatch): void {
    this.#try(this.#pending, () => {
      const lines = pendingLines(batch);
      if (lines.length === 0) return;
      this.#pendingBatches.push({ number: batch.number, size: lines.length });
      this.#pendingSize += lines.length;
      this.#appendTo(this.#pending, lines);
      if (this.#pendingSize > maxPendingSize) this.#rewrite();
    });
  }

  /** Drops all batches up to this one: the worker has written them. */
  stored(number: number): void {
    const first = this.#pendingBatches.findIndex((batch) => batch.number > number);
    this.#pendingBatches = first < 0 ? [] : this.#pendingBatches.slice(first);
    if (this.#pendingBatches.length > 0 || this.#pendingSize === 0) return;
    this.#pendingSize = 0;
    this.#try(this.#pending, () => truncateSync(this.#pending));
  }

  /** Call when the worker has written everything and nothing more will come. */
  close(): void {
    this.#try(this.#pending, () => {
      for (const file of [this.#pending, this.#draft]) rmSync(file, { force: true });
    });
  }

  /**
   * Hands what was written so far to the worker, together with what a worker that ended early has left. Neither moves nor
   * deletes a file, which Windows refuses while any program reads it.
   */
  handOver(): void {
    this.#try(this.#file, () => {
      const lines = readIfThere(this.#file) ?? '';
      if (lines === '') return;
      appendFileSync(this.takeoverFile, `\n${lines}`, { mode: 0o600 });
      truncateSync(this.#file);
    });
  }

  /** Begins a new line if the last one may be unfinished. */
  #appendTo(file: string, lines: Uint8Array): void {
    const whole = this.#torn.has(file) ? Buffer.concat([newline, lines]) : lines;
    this.#torn.add(file);
    appendFileSync(file, whole, { mode: 0o600 });
    this.#torn.delete(file);
    if (this.#unwritable.delete(file) && this.#unwritable.size === 0) this.#report(undefined);
  }

  /**
   * Shortens the file: while calls keep coming, there is always a batch that is not written yet. Replaces it, so that
   * a hub that is killed meanwhile leaves either of both. Windows refuses while any program reads it; then it stays
   * whole until the next time.
   */
  #rewrite(): void {
    this.#pendingBatches = this.#pendingBatches.slice(-maxPendingBatches);
    this.#pendingSize = this.#pendingBatches.reduce((sum, { size }) => sum + size, 0);
    const all = readFileSync(this.#pending);
    writeFileSync(this.#draft, all.subarray(-this.#pendingSize), { mode: 0o600 });
    renameUnlessLocked(this.#draft, this.#pending);
  }

  /** Returns whether the file could be written. */
  #try(file: string, write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      this.#unwritable.add(file);
      this.#report(error);
      return false;
    }
  }
}

function pendingLines({ records, notes }: ActivityBatch): Uint8Array {
  return notes.length === 0 ? records : Buffer.concat([records, Buffer.from(notes.map(lineOf).join(''))]);
}

/** Reads a line of {@link AuditJournal}; returns undefined if the hub was killed while writing it. */
export function readLine(line: string): WrittenNote | RecordList | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    // Only this program writes these lines.
    if ('id' in value && 'kind' in value && 'at' in value) return value as WrittenNote;
    if (!('records' in value)) return undefined;
    const list = toRecordList(value as Pick<WrittenRecords, 'records'>);
    // Hub events mean nothing without their text.
    return { ...list, records: list.records.filter(({ kind }) => kind !== 'hub') };
  } catch {
    return undefined;
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const newline = Buffer.from('\n');
/** Bytes after which the file is rewritten. */
const maxPendingSize = 4 * 1024 * 1024;
/** Batches in a rewritten file: far more than a worker that keeps up leaves pending. */
const maxPendingBatches = 200;

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function renameUnlessLocked(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
}
