import type { Problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Fetch } from '../transport/http-connections.ts';
import type { Connection, SupervisedServer } from './contract.ts';
import { maxTimerDelay, probe } from './health-probe.ts';
import { unhealthyProblem } from './health-problem.ts';
import {
  applyCheck,
  type CheckOutcome,
  type HealthTiming,
  type ProbeMethod,
  type Pulse,
  probeMethods,
} from './health-rules.ts';

export interface HealthWatchOptions {
  readonly server: SupervisedServer;
  readonly connection: Connection;
  readonly clock: Clock;
  /** Yields 0 to 1, so that servers are not all checked at the same moment. */
  readonly random: () => number;
  readonly fetch: () => Promise<Fetch>;
  /** Called before each check, since the config may have changed. */
  readonly settings: () => HealthSettings;
  /** Probes after which its processes ended or stopped responding for good. */
  readonly fatalProbes: ReadonlySet<ProbeMethod>;
  readonly onChecked: (outcome: CheckOutcome) => void;
  /** Called when the last allowed check was missed. */
  readonly onDead: (problem: Problem) => void;
  /** Called when a timer was so late that the machine must have slept. */
  readonly onLateTimer: () => void;
}

export interface HealthSettings extends HealthTiming {
  readonly url: string | undefined;
  readonly isRemote: boolean;
}

/** Checks one connection repeatedly, one check at a time, until it is disposed or the server is given up. */
export class HealthWatch implements Disposable {
  readonly server: SupervisedServer;
  readonly connection: Connection;
  readonly #options: HealthWatchOptions;
  #pulse: Pulse;
  /** Probe that the server is known to answer. */
  #method: ProbeMethod | undefined;
  /** First probe since the last sign of life, while the server was not working on anything else. */
  #pendingProbe: ProbeMethod | undefined;
  /** Calls that it was working on when it was last probed. */
  #callsAtProbe: number | undefined;
  /** Number of messages received by the last check. */
  #receivedCount = 0;
  #timer: { readonly timer: Disposable; readonly interval: number } | undefined;
  #running: Promise<void> | undefined;
  /** True after the machine woke up, until a check has shown whether the server is still there. */
  #isUrgent = false;
  #isDisposed = false;

  constructor(options: HealthWatchOptions) {
    this.#options = options;
    this.server = options.server;
    this.connection = options.connection;
    const now = options.clock.now();
    // The server has just answered `initialize`.
    this.#pulse = { by: 'message', lastCheckAt: now, lastOkAt: now, misses: 0, silentSince: now };
    this.#schedule(options.settings().interval * (0.3 + 0.7 * options.random()));
  }

  get pulse(): Pulse {
    return this.#pulse;
  }

  /**
   * Probe that was pending when the connection ended; undefined if the server has answered that probe before.
   */
  get lastProbe(): ProbeMethod | undefined {
    return this.#pendingProbe === this.#method ? undefined : this.#pendingProbe;
  }

  /** Checks the server now, even if messages have arrived; resolves when the result is known. */
  check(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Checks the server soon after the machine has slept or the network has changed, since earlier results are
   * outdated.
   */
  checkSoon(): void {
    if (this.#isDisposed) return;
    this.#isUrgent = true;
    this.#pulse = { ...this.#pulse, silentSince: this.#options.clock.now() };
    void this.check();
  }

  /** Reschedules the check if the interval has changed. */
  settingsChanged(): void {
    const { interval } = this.#options.settings();
    if (this.#timer !== undefined && this.#timer.interval !== interval)
      this.#schedule(this.#jittered(interval));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.timer.dispose();
    this.#timer = undefined;
  }

  #schedule(milliseconds: number): void {
    const { clock, settings } = this.#options;
    this.#timer?.timer.dispose();
    const dueAt = clock.now() + milliseconds;
    const timer = clock.after(milliseconds, () => this.#onTimer(dueAt));
    this.#timer = { timer, interval: settings().interval };
  }

  #onTimer(dueAt: number): void {
    this.#timer = undefined;
    const { clock, settings, onLateTimer: onLate } = this.#options;
    if (clock.now() - dueAt > maxTimerDelay) {
      onLate();
      // Usually joins the check that the callback has just started.
      void this.check();
    } else if (settings().url === undefined && this.connection.received() > this.#receivedCount) {
      this.#onResult({ kind: 'good', by: 'message' });
    } else {
      void this.check();
    }
  }

  async #run(): Promise<void> {
    this.#timer?.timer.dispose();
    this.#timer = undefined;
    const { clock, fetch, settings } = this.#options;
    const { connection } = this;
    const { timeout, url, isRemote } = settings();
    const methods = this.#methods();
    this.#callsAtProbe = undefined;
    const onProbe = (question: ProbeMethod) => {
      this.#callsAtProbe = this.server.activeCalls;
      if (this.#callsAtProbe === 0) this.#pendingProbe ??= question;
    };
    const outcome = await probe({
      connection,
      methods,
      onProbe,
      url,
      fetch,
      clock,
      timeout,
      isRemote,
    });
    if (outcome.kind === 'good') this.#method ??= outcome.method;
    if (!this.#isDisposed) this.#onResult(outcome);
  }

  /** Sends both probes until one has been answered: silence is blamed on the ping if the list arrives. */
  #methods(): readonly ProbeMethod[] {
    if (this.#method !== undefined) return [this.#method];
    return probeMethods(this.connection.handshake.capabilities, this.#options.fatalProbes);
  }

  #onResult(outcome: CheckOutcome): void {
    const { interval, timeout } = this.#options.settings();
    const verdict = 'by' in outcome ? this.#applyResult(outcome) : 'unknown';
    const isSilent = outcome.kind === 'missed' && outcome.isSilent === true;
    if (!isSilent && outcome.kind !== 'ended') this.#pendingProbe = undefined;
    this.#receivedCount = this.connection.received();
    if (verdict === 'alive' || verdict === 'busy') this.#isUrgent = false;
    this.#options.onChecked(outcome);
    if (outcome.kind === 'slept') this.#options.onLateTimer();
    if (verdict === 'dead' && outcome.kind === 'missed') void this.#giveUp(outcome);
    else if (!this.#isDisposed)
      this.#schedule(this.#isUrgent ? Math.min(timeout, interval) : this.#jittered(interval));
  }

  #applyResult(outcome: Extract<CheckOutcome, { readonly by: unknown }>) {
    const { clock, settings } = this.#options;
    const { isRemote } = settings();
    const { pulse, verdict } = applyCheck(this.#pulse, outcome, {
      at: clock.now(),
      calls: Math.min(this.server.activeCalls, this.#callsAtProbe ?? Number.POSITIVE_INFINITY),
      mayBeDisconnected: this.#isUrgent && isRemote,
      isLocal: !isRemote,
    });
    this.#pulse = pulse;
    return verdict;
  }

  async #giveUp(outcome: Extract<CheckOutcome, { readonly kind: 'missed' }>): Promise<void> {
    // If the connection is ending at this moment, that is reported first, and disposes this watch.
    await nextTurn();
    if (this.#isDisposed) return;
    this.dispose();
    // Keeps the only remaining probe, or the server would never be checked again.
    if (this.#methods().length < 2) this.#pendingProbe = undefined;
    const { server, settings, onDead } = this.#options;
    const lastOutput = server.log.tail(maxStderrLines);
    onDead(
      unhealthyProblem(server.key, this.#pulse, outcome, { url: settings().url, lastWords: lastOutput }),
    );
  }

  #jittered(interval: number): number {
    return interval * (0.9 + 0.2 * this.#options.random());
  }
}

/** Lines of stderr shown in an error. */
const maxStderrLines = 5;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
