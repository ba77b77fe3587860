import { appendFileSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { AuditEntry } from '../store/state/audit/audit.ts';
import type { DeskInput } from './contract.ts';
import { recordsOf, type WholeRecord } from './record-row.ts';

/**
 * What is for the audit log and has no desk to take it: a line each, written at once, so that a killed hub loses nothing of
 * it, and that news of servers alone start no thread. What a desk is to be given once it has begun stands in a file of its
 * own meanwhile, without what calls carried, since nothing is masked on the hub's thread: it is for the next hub, should
 * this one be killed.
 */
export class AuditJournal {
  readonly #file: string;
  readonly #report: (error: unknown) => void;
  #hasPending = false;

  constructor(file: string, report: (error: unknown) => void) {
    this.#file = file;
    this.#report = report;
    this.#try(() => {
      const left = readIfThere(this.#pending);
      if (left !== undefined) appendFileSync(file, `\n${left}`, { mode: 0o600 });
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
    this.#write(this.#file, entries);
  }

  /** A desk is to be given them. */
  appendPending(entries: readonly AuditEntry[]): void {
    this.#hasPending = true;
    this.#write(this.#pending, entries);
  }

  /** It has been given them. */
  clearPending(): void {
    if (!this.#hasPending) return;
    this.#hasPending = false;
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

  #write(file: string, entries: readonly AuditEntry[]): void {
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    if (lines !== '') this.#try(() => appendFileSync(file, lines, { mode: 0o600 }));
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#report(error);
    }
  }
}

/** What is known of a batch without its bodies. Names that a client made up are left out, and what errors say. */
export function journalEntries(batch: Extract<DeskInput, { readonly kind: 'add' }>): readonly AuditEntry[] {
  return [...recordsOf(batch).flatMap((record) => toEntry(record) ?? []), ...batch.notes];
}

function toEntry({ audit, auditId, at, clientName, clientId, outcome, ...head }: WholeRecord) {
  if (audit === undefined || auditId === undefined) return undefined;
  const { serverKey, method, milliseconds, attempts } = head;
  const isNamed = serverKey !== undefined && method !== 'resources/read';
  const entry: AuditEntry = {
    id: auditId,
    at,
    kind: 'invocation',
    action: 'call',
    actor: audit.agent ?? clientName ?? clientId ?? '',
    outcome: audit.decision === 'DENY' && outcome === 'refused' ? 'denied' : outcome,
    serverKey,
    tool: isNamed ? head.name : undefined,
    text: undefined,
    correlationId: audit.correlationId ?? auditId,
    method,
    milliseconds,
    attempts: attempts ?? 1,
    decision: audit.decision,
    cached: audit.cached,
    isPartial: true,
  };
  return entry;
}

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
