import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Disposable } from '../../base/emitter.ts';
import { ConnectionClosedError, type JsonRpcId, type JsonRpcNotification } from '../../jsonrpc/message.ts';
import { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { Connection, InitializeParams, ServerLog, ServerRequest } from '../contract.ts';
import { type Redact, redactProblem } from '../log/redact.ts';
import { createRunLog } from '../log/run-log.ts';
import { secretsOf } from '../log/secret-values.ts';
import { jsonOf, ServerSecrets } from '../log/server-secrets.ts';
import type { LaunchTarget } from '../server-config.ts';
import { ServerConnection } from './connection/server-connection.ts';
import { draining } from './diagnosis/failure-problems.ts';
import type { RunnableConfig } from './plan.ts';
import type { RunEvents, RunPorts, RunResult } from './run.ts';
import type { RunEnding } from './run-ending.ts';

/** Owner of a server process; notified until the process has ended. */
export interface ProcessOwner {
  /** The process runs; see {@link ServerProcess.facts}. */
  onStarted(process: ServerProcess): void;
  onConnected(process: ServerProcess): void;
  /** The connection is lost; the rest is being ended. */
  onDisconnected(process: ServerProcess, problem: Problem): void;
  /** All its processes are gone, except those in the result. */
  onExited(process: ServerProcess, result: RunResult): void;
  /** No call is pending on it any more. */
  onIdle(process: ServerProcess): void;
  /** A call arrived on a connection that takes none; resuming the process lets it through. */
  onCallWhileDraining(process: ServerProcess): void;
  onNotification(
    process: ServerProcess,
    notification: JsonRpcNotification,
    relatedTo: JsonRpcId | undefined,
  ): void;
  onLateAnswer(process: ServerProcess, id: JsonRpcId): void;
  onRequest(process: ServerProcess, request: ServerRequest): Promise<unknown>;
}

export interface ServerProcessOptions {
  readonly key: string;
  readonly config: RunnableConfig;
  readonly ports: RunPorts;
  readonly log: ServerLog;
  readonly owner: ProcessOwner;
  /** See {@link RunOptions.isRetry}. */
  readonly isRetry?: boolean;
  /** Called at its start. */
  readonly initializeParams?: (() => InitializeParams | undefined) | undefined;
}

type Phase =
  | { readonly kind: 'starting' | 'serving' | 'ending' | 'over' }
  /** Takes no new calls, and ends with the last one or at the timeout. */
  | { readonly kind: 'draining'; readonly timer: Disposable };

/**
 * One process of a server from its start to the end of its last descendant. Everything it says goes through
 * its own redactor.
 */
export class ServerProcess {
  readonly config: RunnableConfig;
  readonly redact: Redact;
  /** Resolves when all its processes are gone and its owner has been notified. */
  readonly exited: Promise<void>;
  /** Rejects with ProblemError if it ends before it has a connection. */
  readonly #ready: Promise<Connection>;
  readonly #options: ServerProcessOptions;
  readonly #abortController = new AbortController();
  readonly #secrets: ServerSecrets;
  #phase: Phase = { kind: 'starting' };
  #refusesCalls = false;
  #facts: ProcessFacts = {};
  #connected: { readonly connection: ServerConnection; readonly since: number } | undefined;
  #ending: RunEnding = { kind: 'stopped' };
  #failure: ProblemError | undefined;
  #resolveReady: (connection: Connection) => void = () => {};
  #rejectReady: (error: Error) => void = () => {};

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.config = options.config;
    this.#secrets = new ServerSecrets(secretsOf(options.config));
    this.redact = this.#secrets.redact;
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    this.#ready.catch(() => undefined);
    // Starts after this turn, so that it has an owner before any event: a listener may already want something
    // else.
    this.exited = Promise.resolve()
      .then(() => this.#run())
      .then((result) => this.#onExited(result));
  }

  get phase(): Phase['kind'] {
    return this.#phase.kind;
  }

  get facts(): ProcessFacts {
    return this.#facts;
  }

  /** Absent before `initialize` has completed. */
  get connection(): Connection | undefined {
    return this.#connected?.connection;
  }

  get connectedAt(): number {
    return this.#connected?.since ?? 0;
  }

  get activeCalls(): number {
    return this.#connected?.connection.activeCalls ?? 0;
  }

  /**
   * Passes the connection to `work` and resolves with its result. Rejects with ProblemError if the process
   * ends first.
   */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#ready;
    const ended = this.exited.then(() => Promise.reject(this.#failure));
    return await Promise.race([work(connection), ended]);
  }

  /** Ends it immediately. */
  end(): void {
    this.#abort({ kind: 'stopped' });
  }

  /** Ends it immediately, as a failure. */
  fail(reason: Problem): void {
    const connectedFor = this.#options.ports.clock.now() - this.connectedAt;
    this.#abort({ kind: 'unhealthy', problem: redactProblem(reason, this.redact), connectedFor });
  }

  /** Takes no new calls, and ends with the last pending one; immediately if it is not connected. */
  drain(): void {
    const { clock, timing } = this.#options.ports;
    if (this.#phase.kind !== 'serving' || this.activeCalls === 0) this.end();
    else this.#enter({ kind: 'draining', timer: clock.after(timing.drain, () => this.end()) });
  }

  /** Takes calls again. */
  resume(): void {
    if (this.#phase.kind === 'draining') this.#enter({ kind: 'serving' });
  }

  /** Keeps serving, but refuses new calls with `call.draining`. */
  refuseCalls(): void {
    this.#refusesCalls = true;
  }

  takeCalls(): void {
    this.#refusesCalls = false;
  }

  get #takesCalls(): boolean {
    return this.#phase.kind === 'serving' && !this.#refusesCalls;
  }

  #abort(ending: RunEnding): void {
    if (this.#phase.kind === 'over') return;
    this.#ending = ending;
    this.#enter({ kind: 'ending' });
    this.#abortController.abort();
  }

  #enter(phase: Phase): void {
    if (this.#phase.kind === 'draining') this.#phase.timer.dispose();
    this.#phase = phase;
  }

  async #run(): Promise<RunResult> {
    if (this.#abortController.signal.aborted) return { ending: { kind: 'stopped' }, left: [] };
    const { key, ports, log, isRetry = false } = this.#options;
    const { target, display, written } = this.config;
    const initializeParams = this.#options.initializeParams?.();
    try {
      const result = await ports.run({
        key,
        target: target.value,
        display: display ?? displayName(target.value),
        log: createRunLog(log, this.redact),
        ports,
        events: this.#events(),
        signal: this.#abortController.signal,
        isRetry,
        ...(written === undefined ? {} : { written }),
        ...(initializeParams === undefined ? {} : { initializeParams }),
      });
      return { ending: redactEnding(result.ending, this.redact), left: result.left };
    } catch (error) {
      const reason = redactProblem(toProblem(error), this.redact);
      return { ending: { kind: 'early', problem: reason }, left: [] };
    }
  }

  /** Ignores events that arrive after it was told to end. */
  #events(): RunEvents {
    const { owner, ports } = this.#options;
    const { signal } = this.#abortController;
    return {
      started: ({ resolvedCommand, ...facts }) => {
        this.#facts =
          resolvedCommand === undefined ? facts : { ...facts, resolvedCommand: this.redact(resolvedCommand) };
        if (!signal.aborted) owner.onStarted(this);
      },
      connected: (peer, handshake) => {
        if (signal.aborted) return;
        const connection = new ServerConnection({
          peer,
          handshake,
          secrets: this.#secrets,
          refusal: () => this.#refusal(),
          endsLate: this.config.target.value.kind !== 'stdio',
        });
        this.#connected = { connection, since: ports.clock.now() };
        this.#enter({ kind: 'serving' });
        owner.onConnected(this);
        this.#resolveReady(connection);
      },
      disconnected: (reason) => {
        if (signal.aborted) return;
        this.#enter({ kind: 'ending' });
        owner.onDisconnected(this, redactProblem(reason, this.redact));
      },
      notification: (notification, relatedTo) => {
        if (!signal.aborted) owner.onNotification(this, notification, relatedTo);
      },
      lateAnswer: (id) => owner.onLateAnswer(this, id),
      idle: () => {
        if (this.#phase.kind === 'draining') this.end();
        owner.onIdle(this);
      },
      request: async (request) => {
        const { connection } = this;
        const answer = await owner.onRequest(
          this,
          connection === undefined ? request : { ...request, connection },
        );
        this.#secrets.add(answer instanceof RawMessage ? answer.resultBytes : jsonOf(answer));
        return answer;
      },
    };
  }

  #onExited(result: RunResult): void {
    const { aborted } = this.#abortController.signal;
    // Other causes of death no longer count.
    const ending = aborted ? this.#ending : result.ending;
    this.#enter({ kind: 'over' });
    this.#failure = new ProblemError(
      ending.kind === 'stopped' ? stoppedEarly(this.#options.key) : ending.problem,
    );
    this.#rejectReady(this.#failure);
    this.#options.owner.onExited(this, { ending, left: result.left });
  }

  /** Decides about a call, even if others still hold the connection. */
  #refusal(): Error | undefined {
    if (this.#takesCalls) return undefined;
    // May resume it.
    this.#options.owner.onCallWhileDraining(this);
    if (this.#takesCalls) return undefined;
    return this.#refusesCalls
      ? new ProblemError(draining(this.#options.key))
      : new ConnectionClosedError('The server is stopping', false);
  }
}

/** Facts about its process. */
export type ProcessFacts = Parameters<RunEvents['started']>[0];

function redactEnding(ending: RunEnding, redact: Redact): RunEnding {
  return ending.kind === 'stopped' ? ending : { ...ending, problem: redactProblem(ending.problem, redact) };
}

function stoppedEarly(key: string): Problem {
  const sentence = `The server "${key}" was stopped before it was ready.`;
  return problem('call.server_unavailable', sentence, 'Try again.', { server: key });
}

function displayName(target: LaunchTarget): string {
  if (target.kind === 'stdio') return target.command;
  return URL.canParse(target.url) ? new URL(target.url).host : 'its address';
}
