import { type Problem, ProblemError, toProblem } from '../../../../shared/error/problem.ts';
import type { ServerUpdate } from '../../../../shared/model/server/server-update.ts';
import type { Clock } from '../../base/clock.ts';
import { type JsonRpcId, type JsonRpcNotification, RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { Connection, PreparedUpdate, ServerRequest } from '../contract.ts';
import { updateFailed, updateSilent } from './diagnosis/failure-problems.ts';
import type { RunnableConfig, Update } from './plan.ts';
import type { ServerProcess } from './server-process.ts';

/** A process of a changed config that is about to replace the active one. */
export interface Candidate {
  readonly process: ServerProcess;
  /** Notifications from before it was in use; only the latest are stored. */
  readonly notifications: {
    readonly notification: JsonRpcNotification;
    readonly relatedTo: JsonRpcId | undefined;
  }[];
}

export interface ConfigUpdateOptions {
  readonly clock: Clock;
  /** Milliseconds for the preparation. */
  readonly timeoutMs: number;
  readonly prepare: (connection: Connection) => Promise<PreparedUpdate>;
  /** Returns undefined while another process of the server is ending; the next step starts it then. */
  readonly startProcess: (config: RunnableConfig) => ServerProcess | undefined;
  /** Tells whether the active process has pending calls. */
  readonly hasCalls: () => boolean;
  /** Replaces the active process by the candidate, in this turn. */
  readonly takeOver: (candidate: Candidate, prepared: PreparedUpdate) => void;
  /** Called when the view has changed. */
  readonly onChange: () => void;
}

/**
 * Starts a changed config beside the running server, lists its tools, and lets it take over when it is ready.
 * There is never more than one such candidate; one that failed or was dismissed is not retried.
 */
export class ConfigUpdate {
  readonly #options: ConfigUpdateOptions;
  #candidate: Candidate | undefined;
  #view: ServerUpdate | undefined;
  /** Fingerprint of a config that is not retried. */
  #refusedFingerprint: string | undefined;

  constructor(options: ConfigUpdateOptions) {
    this.#options = options;
  }

  get view(): ServerUpdate | undefined {
    return this.#view;
  }

  /** True if an update is in progress or has failed: ending the active process would lose its config. */
  get isPending(): boolean {
    return this.#view !== undefined && this.#view.kind !== 'done';
  }

  /** Moves towards the wanted update; `fingerprint` is that of the current config. */
  step(update: Update, fingerprint: string | undefined): void {
    const before = this.#view;
    if (update.kind === 'none' || fingerprint !== this.#refusedFingerprint)
      this.#refusedFingerprint = undefined;
    const isRefused = this.#refusedFingerprint !== undefined;
    const wanted = update.kind === 'start' && !isRefused ? update.config : undefined;
    this.#endCandidateUnless(wanted);
    if (update.kind === 'refuse' && !isRefused) this.#fail(fingerprint, update.problem);
    else if (wanted !== undefined) this.#start(wanted);
    else if (update.kind === 'none' && this.isPending) this.#view = undefined;
    if (this.#view !== before) this.#options.onChange();
  }

  /**
   * Returns the candidate that is to replace the active process, which is gone, if it still can. The caller
   * reports that the update has ended, together with the new state.
   */
  promote(): Candidate | undefined {
    const candidate = this.#candidate;
    this.#reset();
    const phase = candidate?.process.phase;
    return phase === 'starting' || phase === 'serving' ? candidate : undefined;
  }

  /** Ends the candidate if there is one, and resets everything. */
  cancel(): void {
    this.#candidate?.process.end();
    const hadView = this.#view !== undefined;
    this.#reset();
    if (hadView) this.#options.onChange();
  }

  /** Discards an update, whether failed, complete or in progress, and does not retry it. */
  dismiss(fingerprint: string | undefined): void {
    if (this.#view === undefined) return;
    this.#refusedFingerprint = this.isPending ? fingerprint : undefined;
    this.#view = undefined;
    this.#endCandidateUnless(undefined);
    this.#options.onChange();
  }

  /** Reports that the replaced process has answered its last call. */
  markDrained(): void {
    if (this.#view?.kind !== 'done' || !this.#view.draining) return;
    this.#view = { ...this.#view, draining: false };
    this.#options.onChange();
  }

  /** Stores a notification of the candidate for later; returns false for any other process. */
  storeNotification(
    process: ServerProcess,
    notification: JsonRpcNotification,
    relatedTo: JsonRpcId | undefined,
  ): boolean {
    const candidate = this.#candidate;
    if (candidate?.process !== process) return false;
    candidate.notifications.push({ notification, relatedTo });
    if (candidate.notifications.length > maxNotifications) candidate.notifications.shift();
    return true;
  }

  isCandidate(process: ServerProcess): boolean {
    return this.#candidate?.process === process;
  }

  #reset(): void {
    this.#candidate = undefined;
    this.#refusedFingerprint = undefined;
    this.#view = undefined;
  }

  #endCandidateUnless(wanted: RunnableConfig | undefined): void {
    if (this.#candidate?.process.config.fingerprint === wanted?.fingerprint) return;
    this.#candidate?.process.end();
    this.#candidate = undefined;
  }

  #start(config: RunnableConfig): void {
    if (this.#candidate !== undefined) return;
    if (this.#view?.kind !== 'starting') this.#view = { kind: 'starting', since: this.#options.clock.now() };
    const process = this.#options.startProcess(config);
    if (process === undefined) return;
    const candidate: Candidate = { process, notifications: [] };
    this.#candidate = candidate;
    void this.#follow(candidate);
  }

  async #follow(candidate: Candidate): Promise<void> {
    const { process } = candidate;
    try {
      const prepared = await process.use((connection) => this.#prepare(connection));
      if (this.#candidate === candidate) this.#complete(candidate, prepared);
    } catch (error) {
      if (this.#candidate !== candidate) return;
      this.#candidate = undefined;
      this.#fail(process.config.fingerprint, updateFailed(toProblem(error)));
      process.end();
      this.#options.onChange();
    }
  }

  /** Times out, so that a silent candidate does not stay in progress forever. */
  #prepare(connection: Connection): Promise<PreparedUpdate> {
    const { clock, timeoutMs, prepare } = this.#options;
    return new Promise((resolve, reject) => {
      const limit = clock.after(timeoutMs, () => reject(new ProblemError(updateSilent(timeoutMs))));
      Promise.resolve(connection)
        .then(prepare)
        .then(resolve, reject)
        .finally(() => limit.dispose());
    });
  }

  #complete(candidate: Candidate, prepared: PreparedUpdate): void {
    const { clock, hasCalls, takeOver } = this.#options;
    const { difference } = prepared;
    this.#reset();
    this.#view = { kind: 'done', at: clock.now(), difference, draining: hasCalls() };
    takeOver(candidate, prepared);
  }

  #fail(fingerprint: string | undefined, problem: Problem): void {
    this.#refusedFingerprint = fingerprint;
    this.#view = { kind: 'failed', at: this.#options.clock.now(), problem };
  }
}

const maxNotifications = 200;

/** Prepares nothing, for a supervisor whose owner does not need the lists. */
export async function prepareNothing(): Promise<PreparedUpdate> {
  return { difference: { added: [], removed: [], changed: [] }, commit: () => {} };
}

/**
 * Refuses all requests of a server that is not in use yet, except for the roots, which many servers request
 * right after their start.
 */
export async function answerBeforeUse(
  request: ServerRequest,
  answer: (request: ServerRequest) => Promise<unknown>,
): Promise<unknown> {
  const { method } = request.message;
  if (method === 'roots/list') return answer(request);
  throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}
