import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { ServerUpdate } from '../../../shared/model/server-update.ts';
import type { Clock } from '../base/clock.ts';
import { type JsonRpcId, type JsonRpcNotification, RpcError, rpcErrorCodes } from '../rpc/message.ts';
import type { Connection, PreparedUpdate, ServerRequest } from './contract.ts';
import { updateFailed, updateSilent } from './failure-problem.ts';
import type { RunnableOrder, Update } from './plan.ts';
import type { ServerRun } from './server-run.ts';

/** A run of a changed config on its way to take the main one's place. */
export interface Candidate {
  readonly run: ServerRun;
  /** What it said before it was in use; only the latest are kept. */
  readonly notices: {
    readonly notification: JsonRpcNotification;
    readonly relatedTo: JsonRpcId | undefined;
  }[];
}

export interface UpdaterOptions {
  readonly clock: Clock;
  /** Milliseconds for the preparation. */
  readonly patience: number;
  readonly prepare: (connection: Connection) => Promise<PreparedUpdate>;
  /** Whether nothing of the server is just ending. */
  readonly isFree: () => boolean;
  readonly begin: (order: RunnableOrder) => ServerRun;
  /** Whether the main run is at work on calls. */
  readonly hasCalls: () => boolean;
  /** Puts it in the main run's place, in this turn. */
  readonly takeOver: (candidate: Candidate, prepared: PreparedUpdate) => void;
  /** The view is another one. */
  readonly onChange: () => void;
}

/**
 * Starts a changed config beside the server that runs, lets it say what it offers, and puts it in the other's place when
 * it can serve. There is never more than one such candidate; the one that failed or was dismissed is not tried again.
 */
export class Updater {
  readonly #options: UpdaterOptions;
  #candidate: Candidate | undefined;
  #view: ServerUpdate | undefined;
  /** Fingerprint of what is not tried again. */
  #refused: string | undefined;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  get view(): ServerUpdate | undefined {
    return this.#view;
  }

  /** Something is on its way or has failed: the main run holds a config that would be lost with it. */
  get isPending(): boolean {
    return this.#view !== undefined && this.#view.kind !== 'done';
  }

  /** Moves towards what is wanted beside the main run; `fingerprint` is that of the config as it stands. */
  settle(update: Update, fingerprint: string | undefined): void {
    const before = this.#view;
    if (update.kind === 'none' || fingerprint !== this.#refused) this.#refused = undefined;
    const isRefused = this.#refused !== undefined;
    const wanted = update.kind === 'start' && !isRefused ? update.order : undefined;
    this.#endOther(wanted);
    if (update.kind === 'refuse' && !isRefused) this.#refuse(fingerprint, update.problem);
    else if (wanted !== undefined) this.#start(wanted);
    else if (update.kind === 'none' && this.isPending) this.#view = undefined;
    if (this.#view !== before) this.#options.onChange();
  }

  /**
   * The main run has gone: the candidate is to take its place as it is, if it still can. That there is no update any more is
   * up to the caller to tell, with whatever is the case instead.
   */
  promote(): Candidate | undefined {
    const candidate = this.#candidate;
    this.#forget();
    const phase = candidate?.run.phase;
    return phase === 'starting' || phase === 'serving' ? candidate : undefined;
  }

  /** Ends the candidate if there is one, and forgets everything. */
  cancel(): void {
    this.#candidate?.run.end();
    const hadView = this.#view !== undefined;
    this.#forget();
    if (hadView) this.#options.onChange();
  }

  /** What has failed, is done or is under way is no longer told, nor tried. */
  dismiss(fingerprint: string | undefined): void {
    if (this.#view === undefined) return;
    this.#refused = this.isPending ? fingerprint : undefined;
    this.#view = undefined;
    this.#endOther(undefined);
    this.#options.onChange();
  }

  /** The replaced run has answered its last call. */
  drained(): void {
    if (this.#view?.kind !== 'done' || !this.#view.draining) return;
    this.#view = { ...this.#view, draining: false };
    this.#options.onChange();
  }

  /** Keeps what the candidate says for later; false for any other run. */
  holds(run: ServerRun, notification: JsonRpcNotification, relatedTo: JsonRpcId | undefined): boolean {
    const candidate = this.#candidate;
    if (candidate?.run !== run) return false;
    candidate.notices.push({ notification, relatedTo });
    if (candidate.notices.length > noticesKept) candidate.notices.shift();
    return true;
  }

  isCandidate(run: ServerRun): boolean {
    return this.#candidate?.run === run;
  }

  #forget(): void {
    this.#candidate = undefined;
    this.#refused = undefined;
    this.#view = undefined;
  }

  #endOther(wanted: RunnableOrder | undefined): void {
    if (this.#candidate?.run.order.fingerprint === wanted?.fingerprint) return;
    this.#candidate?.run.end();
    this.#candidate = undefined;
  }

  #start(order: RunnableOrder): void {
    if (this.#candidate !== undefined) return;
    if (this.#view?.kind !== 'starting') this.#view = { kind: 'starting', since: this.#options.clock.now() };
    // Otherwise it starts with the next settling, which comes with that end.
    if (!this.#options.isFree()) return;
    const candidate: Candidate = { run: this.#options.begin(order), notices: [] };
    this.#candidate = candidate;
    void this.#follow(candidate);
  }

  async #follow(candidate: Candidate): Promise<void> {
    const { run } = candidate;
    try {
      const prepared = await run.use((connection) => this.#prepare(connection));
      if (this.#candidate === candidate) this.#done(candidate, prepared);
    } catch (error) {
      if (this.#candidate !== candidate) return;
      this.#candidate = undefined;
      this.#refuse(run.order.fingerprint, updateFailed(toProblem(error)));
      run.end();
      this.#options.onChange();
    }
  }

  /** One that says nothing must not be on its way for ever. */
  #prepare(connection: Connection): Promise<PreparedUpdate> {
    const { clock, patience, prepare } = this.#options;
    return new Promise((resolve, reject) => {
      const limit = clock.after(patience, () => reject(new ProblemError(updateSilent(patience))));
      Promise.resolve(connection)
        .then(prepare)
        .then(resolve, reject)
        .finally(() => limit.dispose());
    });
  }

  #done(candidate: Candidate, prepared: PreparedUpdate): void {
    const { clock, hasCalls, takeOver } = this.#options;
    const { difference } = prepared;
    this.#forget();
    this.#view = { kind: 'done', at: clock.now(), difference, draining: hasCalls() };
    takeOver(candidate, prepared);
  }

  #refuse(fingerprint: string | undefined, problem: Problem): void {
    this.#refused = fingerprint;
    this.#view = { kind: 'failed', at: this.#options.clock.now(), problem };
  }
}

const noticesKept = 200;

/** For a supervisor whose owner does not care what servers offer. */
export async function prepareNothing(): Promise<PreparedUpdate> {
  return { difference: { added: [], removed: [], changed: [] }, commit: () => {} };
}

/** A server that is not in use yet can ask for nobody but for the roots, which many do right after their start. */
export async function answerBeforeUse(
  request: ServerRequest,
  answer: (request: ServerRequest) => Promise<unknown>,
): Promise<unknown> {
  const { method } = request.message;
  if (method === 'roots/list') return answer(request);
  throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}
