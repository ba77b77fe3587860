import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { Disposable } from '../base/emitter.ts';
import { ConnectionClosedError, type JsonRpcId, type JsonRpcNotification } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { Pieces } from '../rpc/pieces.ts';
import { type ParamChanges, RawMessage } from '../rpc/raw-message.ts';
import type { Connection, LaunchTarget, ServerLog, ServerRequest } from './contract.ts';
import { draining } from './failure-problem.ts';
import type { ClientIntroduction } from './instances-contract.ts';
import type { RunnableOrder } from './plan.ts';
import { type Redact, redactProblem } from './redact.ts';
import { redactedEvents, redactedResult } from './redacted-run.ts';
import type { LiveConnection, RunEnding, RunEvents, RunOptions, RunPorts, RunResult } from './run.ts';
import { createRunLog } from './run-log.ts';
import { RunSecrets } from './run-secrets.ts';
import { secretsOf } from './secret-values.ts';

/** Owner of a server process; notified until the process has ended. */
export interface RunOwner {
  /** The process runs; see {@link ServerRun.facts}. */
  started(run: ServerRun): void;
  connected(run: ServerRun): void;
  /** The connection is lost; the rest is being ended. */
  lost(run: ServerRun, problem: Problem): void;
  /** All its processes are gone, except those in the result. */
  over(run: ServerRun, result: RunResult): void;
  /** No call is pending on it any more. */
  quiet(run: ServerRun): void;
  /** A call arrived on a connection that takes none; resuming the process lets it through. */
  knocked(run: ServerRun): void;
  notification(run: ServerRun, notification: JsonRpcNotification, relatedTo: JsonRpcId | undefined): void;
  late(run: ServerRun, id: JsonRpcId): void;
  request(run: ServerRun, request: ServerRequest): Promise<unknown>;
}

export interface ServerRunOptions {
  readonly key: string;
  readonly order: RunnableOrder;
  readonly ports: RunPorts;
  readonly run: (options: RunOptions) => Promise<RunResult>;
  readonly log: ServerLog;
  readonly owner: RunOwner;
  /** See {@link RunOptions.again}. */
  readonly again?: boolean;
  /** Called at its start. */
  readonly introduction?: () => ClientIntroduction | undefined;
}

type Phase =
  | { readonly kind: 'starting' | 'serving' | 'ending' | 'over' }
  /** Takes no new calls, and ends with the last one or at the timeout. */
  | { readonly kind: 'draining'; readonly timer: Disposable };

/**
 * One process of a server from its start to the end of its last descendant. Everything it says goes through
 * its own redactor.
 */
export class ServerRun {
  readonly order: RunnableOrder;
  readonly redact: Redact;
  /** Resolves when all its processes are gone and its owner has been notified. */
  readonly over: Promise<void>;
  /** Rejects with ProblemError if it ends before it has a connection. */
  readonly #ready: Promise<Connection>;
  readonly #options: ServerRunOptions;
  readonly #controller = new AbortController();
  readonly #secrets: RunSecrets;
  #phase: Phase = { kind: 'starting' };
  #isOpen = false;
  #refuses = false;
  #facts: RunFacts = {};
  #live:
    | { readonly connection: Connection; readonly since: number; readonly calls: () => number }
    | undefined;
  #verdict: RunEnding = { kind: 'stopped' };
  #failure: ProblemError | undefined;
  #resolveReady: (connection: Connection) => void = () => {};
  #rejectReady: (error: Error) => void = () => {};

  constructor(options: ServerRunOptions) {
    this.#options = options;
    this.order = options.order;
    this.#secrets = new RunSecrets(secretsOf(options.order));
    this.redact = this.#secrets.redact;
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    this.#ready.catch(() => undefined);
    // Starts after this turn, so that it has an owner before any event: a listener may already want something
    // else.
    this.over = Promise.resolve()
      .then(() => this.#run())
      .then((result) => this.#finish(result));
  }

  get phase(): Phase['kind'] {
    return this.#phase.kind;
  }

  get facts(): RunFacts {
    return this.#facts;
  }

  /** Absent before `initialize` has completed. */
  get connection(): Connection | undefined {
    return this.#live?.connection;
  }

  get connectedAt(): number {
    return this.#live?.since ?? 0;
  }

  get activeCalls(): number {
    return this.#live?.calls() ?? 0;
  }

  /**
   * Passes the connection to `work` and resolves with its result. Rejects with ProblemError if the process
   * ends first.
   */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#ready;
    const ended = this.over.then(() => Promise.reject(this.#failure));
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
    this.#refuses = true;
    this.#isOpen = false;
  }

  takeCalls(): void {
    this.#refuses = false;
    this.#isOpen = this.#phase.kind === 'serving';
  }

  #abort(verdict: RunEnding): void {
    if (this.#phase.kind === 'over') return;
    this.#verdict = verdict;
    this.#enter({ kind: 'ending' });
    this.#controller.abort();
  }

  #enter(phase: Phase): void {
    if (this.#phase.kind === 'draining') this.#phase.timer.dispose();
    this.#phase = phase;
    this.#isOpen = phase.kind === 'serving' && !this.#refuses;
  }

  async #run(): Promise<RunResult> {
    if (this.#controller.signal.aborted) return { ending: { kind: 'stopped' }, left: [] };
    const { key, ports, run, log, again = false } = this.#options;
    const { target, display, written } = this.order;
    const introduction = this.#options.introduction?.();
    try {
      const result = await run({
        key,
        target: target.value,
        display: display ?? bareName(target.value),
        log: createRunLog(log, this.redact),
        ports,
        events: redactedEvents(this.#events(), this.redact),
        signal: this.#controller.signal,
        again,
        ...(written === undefined ? {} : { written }),
        ...(introduction === undefined ? {} : { introduction }),
      });
      return redactedResult(result, this.redact);
    } catch (error) {
      const reason = redactProblem(toProblem(error), this.redact);
      return { ending: { kind: 'early', problem: reason }, left: [] };
    }
  }

  /** Ignores events that arrive after it was told to end. */
  #events(): RunEvents {
    const { owner, ports } = this.#options;
    const { signal } = this.#controller;
    return {
      started: (facts) => {
        this.#facts = facts;
        if (!signal.aborted) owner.started(this);
      },
      connected: (connection) => {
        if (signal.aborted) return;
        const given = this.#guarded(connection);
        this.#live = { connection: given, since: ports.clock.now(), calls: connection.activeCalls };
        this.#enter({ kind: 'serving' });
        owner.connected(this);
        this.#resolveReady(given);
      },
      lost: (reason) => {
        if (signal.aborted) return;
        this.#enter({ kind: 'ending' });
        owner.lost(this, reason);
      },
      notification: (notification, relatedTo) => {
        if (!signal.aborted) owner.notification(this, notification, relatedTo);
      },
      late: (id) => owner.late(this, id),
      quiet: () => {
        if (this.#phase.kind === 'draining') this.end();
        owner.quiet(this);
      },
      request: async (request) => {
        const { connection } = this;
        const answer = await owner.request(
          this,
          connection === undefined ? request : { ...request, connection },
        );
        this.#secrets.sent(answer instanceof RawMessage ? answer.resultPieces : piecesOf(answer));
        return answer;
      },
    };
  }

  #finish(result: RunResult): void {
    const { aborted } = this.#controller.signal;
    // Other causes of death no longer count.
    const ending = aborted ? this.#verdict : result.ending;
    this.#enter({ kind: 'over' });
    this.#failure = new ProblemError(
      ending.kind === 'stopped' ? wasEnded(this.#options.key) : ending.problem,
    );
    this.#rejectReady(this.#failure);
    this.#options.owner.over(this, { ending, left: result.left });
  }

  /** Refuses new calls after the connection is closed to them, whoever still holds it. */
  #guarded(connection: LiveConnection): Connection {
    return {
      ...connection,
      forward: (request, changes) => {
        this.#secrets.sent(request.argumentsPieces ?? request.paramsPieces ?? piecesOf(request.params));
        return this.#isOpen
          ? connection.forward(request, changes)
          : this.#knock(connection, request, changes);
      },
    };
  }

  #knock(connection: Connection, request: RawMessage, changes: ParamChanges): PendingRequest<RawMessage> {
    this.#options.owner.knocked(this);
    if (this.#isOpen) return connection.forward(request, changes);
    const { key } = this.#options;
    return refused(
      this.#refuses
        ? new ProblemError(draining(key))
        : new ConnectionClosedError('The server is stopping', false),
    );
  }
}

function piecesOf(value: unknown): Pieces | undefined {
  return value === undefined ? undefined : [Buffer.from(JSON.stringify(value))];
}

/** Facts about its process. */
export type RunFacts = Parameters<RunEvents['started']>[0];

/** Creates a request that was never sent. */
function refused(reason: Error): PendingRequest<RawMessage> {
  const result = Promise.reject(reason);
  result.catch(() => undefined);
  return { id: 0, result, abandon: () => false };
}

function wasEnded(key: string): Problem {
  const sentence = `The server "${key}" was stopped before it was ready.`;
  return problem('call.server_unavailable', sentence, 'Try again.', { server: key });
}

function bareName(target: LaunchTarget): string {
  if (target.kind === 'stdio') return target.command;
  return URL.canParse(target.url) ? new URL(target.url).host : 'its address';
}
