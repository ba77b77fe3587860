import { stat } from 'node:fs/promises';
import {
  type Problem,
  type ProblemCode,
  ProblemError,
  problem,
  toProblem,
} from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { LossMark } from './loss-mark.ts';
import type { OpenStateDb } from './open-state-db.ts';
import { isDamage, stateProblem } from './state-problem.ts';
import type { StateQueries } from './tables.ts';

type Query<T> = (db: StateQueries) => Promise<T>;

/**
 * Access to `state.db`. Neither opens the database nor loads its module before the first use. Both methods
 * reject with ProblemError: `hub.newer_data`, `hub.disk_full`, `hub.data_folder_unwritable`, `hub.busy`. If
 * the database turns out to be damaged, it is set aside and the query gets a new one.
 */
export interface StateDb {
  /** For storing: creates the database if there is none. */
  run<T>(query: Query<T>): Promise<T>;
  /** For reading and deleting: resolves to `otherwise` if there is no database. */
  runIfThere<T>(query: Query<T>, otherwise: T): Promise<T>;
  /** Resolves when everything is written to the file; nothing may be requested afterwards. */
  close(): Promise<void>;
}

export interface StateDbOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Mark for a database whose rows restrict access; see OpenOptions. Reports the loss itself. */
  readonly mark?: LossMark;
  /**
   * Called with the problem that prevents its use, or undefined once it can be used again; and, separately,
   * with the loss when a damaged database was set aside.
   */
  readonly report: (about: 'use' | 'loss', problem: Problem | undefined) => void;
}

type State =
  | { readonly kind: 'unopened' }
  /** Open or about to be. */
  | { readonly kind: 'open'; readonly opened: Promise<OpenStateDb> }
  /** Refused for as long as this program runs; it takes another version. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'closed' };

export function createStateDb(options: StateDbOptions): StateDb {
  return new LazyStateDb(options);
}

class LazyStateDb implements StateDb {
  readonly #options: StateDbOptions;
  #state: State = { kind: 'unopened' };
  #suspicion = false;
  #hasFailedToWrite = false;

  constructor(options: StateDbOptions) {
    this.#options = options;
  }

  async run<T>(query: Query<T>): Promise<T> {
    const answer = await this.#ask(query, true).catch((error: unknown) => this.#fail(error, true));
    this.#hasFailedToWrite = false;
    this.#options.report('use', undefined);
    return answer;
  }

  async runIfThere<T>(query: Query<T>, otherwise: T): Promise<T> {
    const isThere = this.#state.kind !== 'unopened' || (await exists(this.#options.file));
    if (!isThere) return otherwise;
    const answer = await this.#ask(query, true).catch((error: unknown) => this.#fail(error, false));
    // A full disk can still be read.
    if (!this.#hasFailedToWrite) this.#options.report('use', undefined);
    return answer;
  }

  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    if (state.kind !== 'open') return;
    const opened = await state.opened.catch(() => undefined);
    await opened?.close();
  }

  async #ask<T>(query: Query<T>, mayAskAgain: boolean): Promise<T> {
    const opened = this.#open();
    const { db } = await opened;
    try {
      return await query(db);
    } catch (error) {
      if (!mayAskAgain || !(await this.#isReplaced(opened, error))) throw error;
      return this.#ask(query, false);
    }
  }

  async #fail(error: unknown, isWrite: boolean): Promise<never> {
    this.#hasFailedToWrite ||= isWrite;
    const problem = await stateProblem(this.#options.file, error);
    this.#options.report('use', problem);
    throw new ProblemError(problem, { cause: error });
  }

  #open(): Promise<OpenStateDb> {
    const state = this.#state;
    if (state.kind === 'open') return state.opened;
    if (state.kind === 'refused') return Promise.reject(new ProblemError(state.problem));
    if (state.kind === 'closed') return Promise.reject(new Error('the state has been closed'));
    const opened = this.#load();
    this.#state = { kind: 'open', opened };
    opened.catch((error: unknown) => {
      if (this.#isCurrent(opened)) this.#state = this.#afterFailure(toProblem(error));
    });
    return opened;
  }

  async #load(): Promise<OpenStateDb> {
    const { openStateDb } = await import('./open-state-db.ts').catch((error: unknown) => {
      throw new ProblemError(unavailable(error), { cause: error });
    });
    const { file, clock, mark, report } = this.#options;
    const opened = await openStateDb({ file, clock, suspicion: this.#suspicion, mark });
    this.#suspicion = false;
    if (opened.loss !== undefined) report('loss', opened.loss);
    return opened;
  }

  #afterFailure(problem: Problem): State {
    this.#suspicion ||= problem.code === 'hub.database_unreadable';
    return permanentProblems.has(problem.code) ? { kind: 'refused', problem } : { kind: 'unopened' };
  }

  /** Returns whether another database has replaced the one in which a query failed, or is about to. */
  async #isReplaced(opened: Promise<OpenStateDb>, error: unknown): Promise<boolean> {
    if (!this.#isCurrent(opened)) return true;
    if (!isDamage(error)) return false;
    this.#suspicion = true;
    this.#state = { kind: 'unopened' };
    await (await opened).close();
    return true;
  }

  #isCurrent(opened: Promise<OpenStateDb>): boolean {
    return this.#state.kind === 'open' && this.#state.opened === opened;
  }
}

/** Problems that last as long as this program runs. */
const permanentProblems: ReadonlySet<ProblemCode> = new Set(['hub.newer_data', 'internal']);

function unavailable(error: unknown): Problem {
  const sentence = 'The database module cannot be loaded, so nothing is saved.';
  const fix = 'Reinstall Patchbay. Servers and clients keep working meanwhile.';
  const system = `${process.platform} ${process.arch}`;
  return problem('internal', sentence, fix, { system, error: String(error) });
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
