import { isDeepStrictEqual } from 'node:util';
import { type Problem, toProblem } from '../../../shared/error/problem.ts';
import type { ServerStatus } from '../../../shared/model/server.ts';
import type { Disposable } from '../base/emitter.ts';
import { Emitter } from '../base/emitter.ts';
import type { LogLevel } from '../base/logger.ts';
import { awaitConnection } from './await-connection.ts';
import type {
  Connection,
  LaunchTarget,
  ServerLog,
  ServerOrder,
  ServerState,
  SupervisedServer,
} from './contract.ts';
import { describeState } from './describe-state.ts';
import { stopFailed } from './failure-problem.ts';
import { createRedactor, type Redact, redactProblem } from './redact.ts';
import { redactedEvents, redactedResult } from './redacted-run.ts';
import { type FailureHistory, nextStep, noFailures } from './restart-policy.ts';
import type { RunEnding, RunEvents, RunOptions, RunPorts, RunResult } from './run.ts';
import { createRunLog } from './run-log.ts';
import { secretsOf } from './secret-values.ts';
import { createServerLog } from './server-log.ts';

export interface SupervisedServerOptions {
  readonly key: string;
  readonly ports: RunPorts;
  /** Runs the server once; resolves when all of its processes are gone. */
  readonly run: (options: RunOptions) => Promise<RunResult>;
  /** Yields 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly onState: (server: SupervisedServer, previous: ServerStatus) => void;
  readonly onNotification: RunEvents['notification'];
  readonly onRequest: RunEvents['request'];
  readonly onLate: RunEvents['late'];
}

/** What the owner is doing. A start happens only from `down`, so there are never two processes. */
type Phase =
  | { readonly kind: 'down' }
  /** Ended for a reason that only a new epoch changes. */
  | { readonly kind: 'resting'; readonly epoch: number }
  | { readonly kind: 'waiting'; readonly epoch: number; readonly timer: Disposable }
  | {
      readonly kind: 'running';
      readonly epoch: number;
      readonly controller: AbortController;
      readonly over: Promise<void>;
    };

interface Wanted {
  readonly order: ServerOrder;
  readonly target: LaunchTarget;
}

/**
 * The one owner of a server's process. Wishes (orders, restarts) only change what is wanted; {@link #settle} moves the
 * process towards it one step at a time, so that the last wish wins however fast they come.
 */
export class OwnedServer implements SupervisedServer {
  readonly key: string;
  readonly log: ServerLog;
  readonly #options: SupervisedServerOptions;
  readonly #stateChanged = new Emitter<ServerState>();
  #state: ServerState;
  #phase: Phase = { kind: 'down' };
  #order: ServerOrder | undefined;
  /** Grows when earlier runs no longer count: a new config, a switch on, the user's wish. */
  #epoch = 0;
  #restarts = 0;
  /** Knows the secrets of the latest run; what others add to the log comes from it. */
  #redact: Redact = (text) => text;

  constructor(options: SupervisedServerOptions) {
    this.key = options.key;
    this.#options = options;
    const { clock } = options.ports;
    this.log = createServerLog({ clock, redact: (text) => this.#redact(text) });
    this.#state = { status: 'disconnected', since: clock.now() };
  }

  get id(): string {
    return this.key;
  }

  get state(): ServerState {
    return this.#state;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get activeCalls(): number {
    return 0;
  }

  get update(): undefined {
    return undefined;
  }

  connection(milliseconds: number): Promise<Connection> {
    const { clock } = this.#options.ports;
    return awaitConnection({ server: this, changed: this.#stateChanged.event, clock, milliseconds });
  }

  /** Makes it match `order`. */
  apply(order: ServerOrder): void {
    const before = this.#order;
    this.#order = order;
    const isFresh = before === undefined || before.fingerprint !== order.fingerprint;
    if (isFresh || (order.enabled && !before.enabled)) this.#epoch++;
    this.#settle();
  }

  /** Ends the process if there is one and starts afresh, forgetting earlier failures. */
  restart(): void {
    this.#epoch++;
    this.#settle();
  }

  /** Ends it for good; resolves when all its processes are gone. */
  async retire(): Promise<void> {
    this.#order = undefined;
    this.#settle();
    if (this.#phase.kind === 'running') await this.#phase.over;
  }

  #settle(): void {
    const wanted = this.#wanted();
    const phase = this.#phase;
    const isCurrent = wanted !== undefined && phase.kind !== 'down' && phase.epoch === this.#epoch;
    if (isCurrent) return;
    if (phase.kind === 'running') {
      phase.controller.abort();
      this.#show(this.#idleState() ?? { status: 'connecting', since: this.#now() });
      return;
    }
    if (phase.kind === 'waiting') phase.timer.dispose();
    this.#phase = { kind: 'down' };
    const idle = this.#idleState();
    if (idle !== undefined) this.#show(idle);
    else if (wanted !== undefined) this.#start(wanted, noFailures);
  }

  #wanted(): Wanted | undefined {
    const order = this.#order;
    return order?.enabled && order.target.ok ? { order, target: order.target.value } : undefined;
  }

  /** What to show while nothing is wanted to run; undefined if something is. */
  #idleState(): ServerState | undefined {
    const order = this.#order;
    const since = this.#now();
    if (order === undefined || !order.enabled) return { status: 'disabled', since };
    return order.target.ok ? undefined : { status: 'error', since, problem: order.target.problem };
  }

  #start(wanted: Wanted, history: FailureHistory): void {
    const controller = new AbortController();
    const { signal } = controller;
    // Begins after this turn, and is owned before anybody hears of it: a listener may already wish something else.
    const over = Promise.resolve()
      .then(() => this.#runOnce(wanted, signal))
      .then((result) => this.#ended(result, signal, history));
    this.#phase = { kind: 'running', epoch: this.#epoch, controller, over };
    this.#show({ status: 'connecting', since: this.#now() });
  }

  /** Whatever a run says goes through a redactor of its own: one that is being replaced knows other secrets. */
  async #runOnce({ order, target }: Wanted, signal: AbortSignal): Promise<RunResult> {
    const { key } = this;
    const { ports, run } = this.#options;
    const redact = createRedactor(secretsOf(order));
    this.#redact = redact;
    const display = order.display ?? bareName(target);
    const log = createRunLog(this.log, redact);
    const events = redactedEvents(this.#events(signal), redact);
    const written = order.written === undefined ? {} : { written: order.written };
    try {
      return redactedResult(
        await run({ key, target, display, log, ports, events, signal, ...written }),
        redact,
      );
    } catch (error) {
      return { ending: { kind: 'early', problem: redactProblem(toProblem(error), redact) }, left: [] };
    }
  }

  /** What a run tells after it was told to end is no longer heard. */
  #events(signal: AbortSignal): RunEvents {
    let facts: { readonly pid?: number; readonly resolvedCommand?: string } = {};
    return {
      started: (started) => {
        facts = started;
        if (!signal.aborted) this.#show({ status: 'connecting', since: this.#state.since, ...facts });
      },
      connected: (connection) => {
        const now = this.#now();
        if (!signal.aborted)
          this.#show({ status: 'connected', since: now, connectedAt: now, connection, ...facts });
      },
      lost: (problem) => {
        // What will not be started again is in error from now on; all else waits for what the policy says.
        const status = this.#order?.restart === 'never' ? 'error' : 'disconnected';
        if (!signal.aborted) this.#show({ status, since: this.#now(), problem });
      },
      notification: (notification, relatedTo) => {
        if (!signal.aborted) this.#options.onNotification(notification, relatedTo);
      },
      late: (id) => this.#options.onLate(id),
      request: (request) => this.#options.onRequest(request),
    };
  }

  #ended({ ending, left }: RunResult, signal: AbortSignal, history: FailureHistory): void {
    if (left.length > 0) {
      const problem = stopFailed(left, this.key);
      this.#note('error', problem.sentence, { problem });
      this.#rest({ kind: 'error', problem });
    } else if (signal.aborted) {
      this.#phase = { kind: 'down' };
      this.#settle();
    } else {
      this.#follow(ending, history);
    }
  }

  #follow(ending: RunEnding, history: FailureHistory): void {
    const { timing } = this.#options.ports;
    const policy = {
      restart: this.#order?.restart ?? 'never',
      stable: timing.stable,
      backoff: { initial: timing.backoffInitial, max: timing.backoffMax, factor: 2, jitter: 0.2 },
    };
    const next = nextStep(ending, history, policy, this.#options.random);
    if (next.kind === 'retry') this.#wait(next.delay, next.problem, next.history);
    else if (next.kind !== 'rest') this.#rest(next);
  }

  #rest(end: { readonly kind: 'error' | 'needs-auth'; readonly problem: Problem }): void {
    this.#phase = { kind: 'resting', epoch: this.#epoch };
    this.#show(this.#idleState() ?? { status: end.kind, since: this.#now(), problem: end.problem });
  }

  #wait(milliseconds: number, problem: Problem, history: FailureHistory): void {
    const { clock } = this.#options.ports;
    const timer = clock.after(milliseconds, () => this.#retry(history));
    this.#phase = { kind: 'waiting', epoch: this.#epoch, timer };
    const nextTryAt = this.#now() + milliseconds;
    this.#show({ status: 'disconnected', since: this.#now(), nextTryAt, problem });
  }

  #retry(history: FailureHistory): void {
    const wanted = this.#wanted();
    if (wanted === undefined) return;
    this.#restarts++;
    this.#start(wanted, history);
  }

  #show(state: ServerState): void {
    const previous = this.#state;
    if (isSame(previous, state)) return;
    this.#state = state;
    this.#note('info', describeState(state), { status: state.status });
    this.#options.onState(this, previous.status);
    this.#stateChanged.fire(state);
  }

  /** Into its own log and the program's; whoever listens to states decides what to tell people. */
  #note(level: LogLevel, text: string, data: Readonly<Record<string, unknown>>): void {
    this.log.append('hub', text);
    this.#options.ports.logger.log(level, `server "${this.key}": ${text}`, data);
  }

  #now(): number {
    return this.#options.ports.clock.now();
  }
}

/** Whether there is nothing new to tell. */
function isSame(before: ServerState, after: ServerState): boolean {
  if (before.status !== after.status) return false;
  if (after.status === 'error' && before.status === 'error')
    return isDeepStrictEqual(before.problem, after.problem);
  return after.status === 'disabled';
}

function bareName(target: LaunchTarget): string {
  if (target.kind === 'stdio') return target.command;
  return URL.canParse(target.url) ? new URL(target.url).host : 'its address';
}
