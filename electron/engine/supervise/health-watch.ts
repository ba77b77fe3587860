import type { Problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Fetch } from '../transport/http-connections.ts';
import type { Connection, SupervisedServer } from './contract.ts';
import { lateness, probe } from './health-probe.ts';
import { unhealthy } from './health-problem.ts';
import {
  afterCheck,
  type CheckOutcome,
  type HealthTiming,
  type Pulse,
  type Question,
  questionsFor,
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
  readonly deadly: ReadonlySet<Question>;
  readonly onChecked: (outcome: CheckOutcome) => void;
  /** Called when the last allowed check was missed. */
  readonly onDead: (problem: Problem) => void;
  /** Called when a timer was so late that the machine must have slept. */
  readonly onLate: () => void;
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
  #question: Question | undefined;
  /** First probe since the last sign of life, while the server was not working on anything else. */
  #open: Question | undefined;
  /** Calls that it was working on when it was last probed. */
  #callsThen: number | undefined;
  /** Number of messages received by the last check. */
  #heard = 0;
  #next: { readonly timer: Disposable; readonly interval: number } | undefined;
  #running: Promise<void> | undefined;
  /** True after the machine woke up, until a check has shown whether the server is still there. */
  #isHurried = false;
  #isOver = false;

  constructor(options: HealthWatchOptions) {
    this.#options = options;
    this.server = options.server;
    this.connection = options.connection;
    const now = options.clock.now();
    // The server has just answered `initialize`.
    this.#pulse = { by: 'message', lastCheckAt: now, lastOkAt: now, misses: 0, quietSince: now };
    this.#schedule(options.settings().interval * (0.3 + 0.7 * options.random()));
  }

  get pulse(): Pulse {
    return this.#pulse;
  }

  /**
   * Probe that was pending when the connection ended; undefined if the server has answered that probe before.
   */
  get lastQuestion(): Question | undefined {
    return this.#open === this.#question ? undefined : this.#open;
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
  hurry(): void {
    if (this.#isOver) return;
    this.#isHurried = true;
    this.#pulse = { ...this.#pulse, quietSince: this.#options.clock.now() };
    void this.check();
  }

  /** Reschedules the check if the interval has changed. */
  settingsChanged(): void {
    const { interval } = this.#options.settings();
    if (this.#next !== undefined && this.#next.interval !== interval)
      this.#schedule(this.#jittered(interval));
  }

  dispose(): void {
    this.#isOver = true;
    this.#next?.timer.dispose();
    this.#next = undefined;
  }

  #schedule(milliseconds: number): void {
    const { clock, settings } = this.#options;
    this.#next?.timer.dispose();
    const dueAt = clock.now() + milliseconds;
    const timer = clock.after(milliseconds, () => this.#due(dueAt));
    this.#next = { timer, interval: settings().interval };
  }

  #due(dueAt: number): void {
    this.#next = undefined;
    const { clock, settings, onLate } = this.#options;
    if (clock.now() - dueAt > lateness) {
      onLate();
      // Usually joins the check that the callback has just started.
      void this.check();
    } else if (settings().url === undefined && this.connection.received() > this.#heard) {
      this.#settle({ kind: 'good', by: 'message' });
    } else {
      void this.check();
    }
  }

  async #run(): Promise<void> {
    this.#next?.timer.dispose();
    this.#next = undefined;
    const { clock, fetch, settings } = this.#options;
    const { connection } = this;
    const { timeout, url, isRemote } = settings();
    const questions = this.#questions();
    this.#callsThen = undefined;
    const onQuestion = (question: Question) => {
      this.#callsThen = this.server.activeCalls;
      if (this.#callsThen === 0) this.#open ??= question;
    };
    const outcome = await probe({
      connection,
      questions,
      onQuestion,
      url,
      fetch,
      clock,
      timeout,
      isRemote,
    });
    if (outcome.kind === 'good') this.#question ??= outcome.question;
    if (!this.#isOver) this.#settle(outcome);
  }

  /** Sends both probes until one has been answered: silence is blamed on the ping if the list arrives. */
  #questions(): readonly Question[] {
    if (this.#question !== undefined) return [this.#question];
    return questionsFor(this.connection.handshake.capabilities, this.#options.deadly);
  }

  #settle(outcome: CheckOutcome): void {
    const { interval, timeout } = this.#options.settings();
    const verdict = 'by' in outcome ? this.#learn(outcome) : 'unknown';
    const isSilent = outcome.kind === 'missed' && outcome.isSilent === true;
    if (!isSilent && outcome.kind !== 'ended') this.#open = undefined;
    this.#heard = this.connection.received();
    if (verdict === 'alive' || verdict === 'busy') this.#isHurried = false;
    this.#options.onChecked(outcome);
    if (outcome.kind === 'slept') this.#options.onLate();
    if (verdict === 'dead' && outcome.kind === 'missed') void this.#giveUp(outcome);
    else if (!this.#isOver)
      this.#schedule(this.#isHurried ? Math.min(timeout, interval) : this.#jittered(interval));
  }

  #learn(outcome: Extract<CheckOutcome, { readonly by: unknown }>) {
    const { clock, settings } = this.#options;
    const { isRemote } = settings();
    const { pulse, verdict } = afterCheck(this.#pulse, outcome, {
      at: clock.now(),
      calls: Math.min(this.server.activeCalls, this.#callsThen ?? Number.POSITIVE_INFINITY),
      isCutOff: this.#isHurried && isRemote,
      isLocal: !isRemote,
    });
    this.#pulse = pulse;
    return verdict;
  }

  async #giveUp(outcome: Extract<CheckOutcome, { readonly kind: 'missed' }>): Promise<void> {
    // If the connection is ending at this moment, that is reported first, and disposes this watch.
    await nextTurn();
    if (this.#isOver) return;
    this.dispose();
    // Keeps the only remaining probe, or the server would never be checked again.
    if (this.#questions().length < 2) this.#open = undefined;
    const { server, settings, onDead } = this.#options;
    const lastWords = server.log.tail(wordsKept);
    onDead(unhealthy(server.key, this.#pulse, outcome, { url: settings().url, lastWords }));
  }

  #jittered(interval: number): number {
    return interval * (0.9 + 0.2 * this.#options.random());
  }
}

/** Lines of stderr shown in an error. */
const wordsKept = 5;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
