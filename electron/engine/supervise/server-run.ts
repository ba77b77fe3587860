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

/** Whoever started a run, and hears of it until it is over. */
export interface RunOwner {
  /** Its process runs; see {@link ServerRun.facts}. */
  started(run: ServerRun): void;
  connected(run: ServerRun): void;
  /** The connection has died; what is left of it is being ended. */
  lost(run: ServerRun, problem: Problem): void;
  /** All its processes are gone, but for those that the result names. */
  over(run: ServerRun, result: RunResult): void;
  /** Every call it was at work on has its outcome. */
  quiet(run: ServerRun): void;
  /** Somebody calls over a connection that takes no calls any more; whoever resumes the run lets it through. */
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
  /** Asked when it starts. */
  readonly introduction?: () => ClientIntroduction | undefined;
}

type Phase =
  | { readonly kind: 'starting' | 'serving' | 'ending' | 'over' }
  /** Takes no new calls, and ends with the last one or with the timer. */
  | { readonly kind: 'draining'; readonly timer: Disposable };

/** One run of a server from its start to the end of its last process. Whatever it says goes through a redactor of its own. */
export class ServerRun {
  readonly order: RunnableOrder;
  readonly redact: Redact;
  /** Resolves when all its processes are gone and its owner knows. */
  readonly over: Promise<void>;
  /** Rejects with ProblemError when it ends before it has a connection. */
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
    // Begins after this turn, and is owned before anybody hears of it: a listener may already wish something else.
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

  /** Absent before hands are shaken. */
  get connection(): Connection | undefined {
    return this.#live?.connection;
  }

  get connectedAt(): number {
    return this.#live?.since ?? 0;
  }

  get activeCalls(): number {
    return this.#live?.calls() ?? 0;
  }

  /** The result of `work` with its connection; rejects with ProblemError when it ends before that is done. */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#ready;
    const ended = this.over.then(() => Promise.reject(this.#failure));
    return await Promise.race([work(connection), ended]);
  }

  /** Ends it at once. */
  end(): void {
    this.#abort({ kind: 'stopped' });
  }

  /** Ends it at once, and counts as a failure. */
  fail(reason: Problem): void {
    const connectedFor = this.#options.ports.clock.now() - this.connectedAt;
    this.#abort({ kind: 'unhealthy', problem: redactProblem(reason, this.redact), connectedFor });
  }

  /** Takes no new calls, and ends with the last one under way; at once before hands are shaken. */
  drain(): void {
    const { clock, timing } = this.#options.ports;
    if (this.#phase.kind !== 'serving' || this.activeCalls === 0) this.end();
    else this.#enter({ kind: 'draining', timer: clock.after(timing.drain, () => this.end()) });
  }

  /** Takes calls again. */
  resume(): void {
    if (this.#phase.kind === 'draining') this.#enter({ kind: 'serving' });
  }

  /** Serves on, but refuses new calls with `call.draining`. */
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

  /** What a run tells after it was told to end is no longer heard. */
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
    // Whatever else it died of meanwhile does not count.
    const ending = aborted ? this.#verdict : result.ending;
    this.#enter({ kind: 'over' });
    this.#failure = new ProblemError(
      ending.kind === 'stopped' ? wasEnded(this.#options.key) : ending.problem,
    );
    this.#rejectReady(this.#failure);
    this.#options.owner.over(this, { ending, left: result.left });
  }

  /** Closed connections take no new calls, however they were come by. */
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
      this.#refuses ? new ProblemError(draining(key)) : new ConnectionClosedError('It is ending', false),
    );
  }
}

function piecesOf(value: unknown): Pieces | undefined {
  return value === undefined ? undefined : [Buffer.from(JSON.stringify(value))];
}

/** What is known of its process. */
export type RunFacts = Parameters<RunEvents['started']>[0];

/** A request that was not sent. */
function refused(reason: Error): PendingRequest<RawMessage> {
  const result = Promise.reject(reason);
  result.catch(() => undefined);
  return { id: 0, result, abandon: () => false };
}

function wasEnded(key: string): Problem {
  const sentence = `The server "${key}" was ended before it was ready.`;
  return problem('call.server_unavailable', sentence, 'Try again.', { server: key });
}

function bareName(target: LaunchTarget): string {
  if (target.kind === 'stdio') return target.command;
  return URL.canParse(target.url) ? new URL(target.url).host : 'its address';
}
