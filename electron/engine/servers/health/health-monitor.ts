import type { Problem } from '../../../../shared/error/problem.ts';
import type { HealthSample, ServerHealth } from '../../../../shared/model/server/health.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { HttpConnections } from '../../transport/http-client/http-connections.ts';
import type { Connection, Instances, ServerStateChange, SupervisedServer, Supervisor } from '../contract.ts';
import { maxTimerDelay } from './health-probe.ts';
import { issueProblem } from './health-problems.ts';
import { HealthRecord } from './health-record.ts';
import { defaultTiming, type HealthTiming, type ProbeMethod, type Pulse } from './health-rules.ts';
import { type HealthSettings, HealthWatch } from './health-watch.ts';

export interface HealthMonitorOptions {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'servers' | 'onState'> & {
    readonly instances: Pick<Instances, 'onState'>;
  };
  /** Health settings of a server in the config. */
  readonly settings: (key: string) => Partial<HealthTiming> & {
    readonly url?: string;
    readonly isRemote: boolean;
  };
  /** Called when a server does not respond and must be ended. */
  readonly fail: (server: SupervisedServer, problem: Problem) => void;
  /** Environment that names the proxies. */
  readonly env: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly onChange: (keys: readonly string[]) => void;
  readonly random?: () => number;
}

/** Checks the health of all running servers and stores a short history. */
export interface HealthMonitor extends Disposable {
  /** Records the end of a call to this server. */
  recordCall(key: string, milliseconds: number, failed: boolean): void;
  /** Undefined while the server is not running. */
  health(key: string): ServerHealth | undefined;
  /** Returns the problem of a running server, and since when it has existed. */
  problem(key: string): { readonly problem: Problem; readonly since: number } | undefined;
  /** Oldest first. */
  history(key: string): readonly HealthSample[];
  onHistory(key: string, listener: (samples: readonly HealthSample[]) => void): Disposable;
  /** Checks the server now; resolves when the result is known, and immediately if it is not running. */
  check(key: string): Promise<void>;
  /** Checks all servers after the machine has slept or the network has changed. */
  wokeUp(): void;
  /** Applies changed health settings. */
  settingsChanged(): void;
}

export function createHealthMonitor(options: HealthMonitorOptions): HealthMonitor {
  return new Monitor(options);
}

/** Milliseconds per span of the history. */
const spanMs = 30_000;

class Monitor implements HealthMonitor {
  readonly #options: Required<HealthMonitorOptions>;
  readonly #records = new Map<string, HealthRecord>();
  /** Watches by process id; each instance has its own. */
  readonly #watches = new Map<string, HealthWatch>();
  /** Probes, by server, after which its processes ended or stopped responding for good. */
  readonly #fatalProbes = new Map<string, Set<ProbeMethod>>();
  readonly #subscriptions: readonly Disposable[];
  #tick: Disposable;
  #http: Promise<HttpConnections> | undefined;
  #lastWakeAt = 0;

  constructor(options: HealthMonitorOptions) {
    this.#options = { random: Math.random, ...options };
    const { supervisor } = options;
    const follow = ({ server }: ServerStateChange) => this.#onState(server);
    this.#subscriptions = [supervisor.onState(follow), supervisor.instances.onState(follow)];
    this.#tick = this.#nextTick();
  }

  recordCall(key: string, milliseconds: number, failed: boolean): void {
    const record = this.#recordOf(key);
    record.recordCall(milliseconds, failed);
    if (failed) this.#updateIssue(key);
  }

  health(key: string): ServerHealth | undefined {
    const pulse = this.#pulseOf(key);
    return pulse === undefined ? undefined : this.#recordOf(key).view(pulse, this.#now());
  }

  problem(key: string) {
    const issue = this.#pulseOf(key) === undefined ? undefined : this.#records.get(key)?.issue;
    return issue && { problem: issueProblem(key, issue.issue), since: issue.since };
  }

  history(key: string): readonly HealthSample[] {
    return this.#records.get(key)?.history ?? [];
  }

  onHistory(key: string, listener: (samples: readonly HealthSample[]) => void): Disposable {
    return this.#recordOf(key).samples.event(listener);
  }

  async check(key: string): Promise<void> {
    await Promise.all(this.#watchesOf(key).map((watch) => watch.check()));
  }

  wokeUp(): void {
    this.#lastWakeAt = this.#now();
    for (const watch of [...this.#watches.values()]) watch.checkSoon();
  }

  settingsChanged(): void {
    for (const watch of this.#watches.values()) watch.settingsChanged();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#tick.dispose();
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
    void this.#http?.then((http) => http.close()).catch(() => undefined);
  }

  #onState(server: SupervisedServer): void {
    const { id, key, state } = server;
    const connection = 'connection' in state ? state.connection : undefined;
    const known = this.#watches.get(id);
    if (known?.connection === connection) return;
    known?.dispose();
    this.#watches.delete(id);
    if (connection !== undefined) this.#watch(server, connection);
    else if (known !== undefined && 'problem' in state && state.problem !== undefined) {
      this.#recordOf(key).markDown();
      if (known.lastProbe !== undefined) this.#fatalProbesOf(key).add(known.lastProbe);
    }
  }

  #watch(server: SupervisedServer, connection: Connection): void {
    const { id, key } = server;
    const { clock, random, fail } = this.#options;
    if (id === key) this.#recordOf(key).markRestart();
    const watch = new HealthWatch({
      server,
      connection,
      clock,
      random,
      fetch: () => this.#fetch(),
      settings: () => this.#settings(key),
      fatalProbes: this.#fatalProbesOf(key),
      onChecked: (outcome) => {
        this.#recordOf(key).recordCheck(outcome, this.#settings(key));
        this.#updateIssue(key);
      },
      onDead: (problem) => fail(server, problem),
      onLateTimer: () => this.#onLateTimer(),
    });
    this.#watches.set(id, watch);
  }

  /** After the machine has slept, many timers are late. */
  #onLateTimer(): void {
    if (this.#now() - this.#lastWakeAt > maxTimerDelay) this.wokeUp();
  }

  /** Reports only new problems immediately; routine results wait for the next tick. */
  #updateIssue(key: string): void {
    const record = this.#recordOf(key);
    if (record.updateIssue(this.#pulseOf(key), this.#settings(key), this.#now()))
      this.#options.onChange([key]);
  }

  #nextTick(): Disposable {
    const dueAt = this.#now() + spanMs;
    return this.#options.clock.after(spanMs, () => {
      if (this.#now() - dueAt > maxTimerDelay) this.#onLateTimer();
      this.#closeSpans();
      this.#tick = this.#nextTick();
    });
  }

  #closeSpans(): void {
    const { servers } = this.#options.supervisor;
    const now = this.#now();
    for (const [key, record] of this.#records) {
      const server = servers.get(key);
      if (server === undefined) {
        record.samples.dispose();
        this.#records.delete(key);
        this.#fatalProbes.delete(key);
        continue;
      }
      const pulse = this.#pulseOf(key);
      record.updateIssue(pulse, this.#settings(key), now);
      record.closeSpan(server.state, pulse !== undefined, now);
    }
    this.#options.onChange([...this.#runningKeys()]);
  }

  #runningKeys(): ReadonlySet<string> {
    return new Set([...this.#watches.values()].map(({ server }) => server.key));
  }

  #recordOf(key: string): HealthRecord {
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const record = new HealthRecord();
    this.#records.set(key, record);
    return record;
  }

  #fatalProbesOf(key: string): Set<ProbeMethod> {
    const known = this.#fatalProbes.get(key) ?? new Set();
    this.#fatalProbes.set(key, known);
    return known;
  }

  #watchesOf(key: string): readonly HealthWatch[] {
    return [...this.#watches.values()].filter(({ server }) => server.key === key);
  }

  /** Returns the pulse of the process in the worst state. */
  #pulseOf(key: string): Pulse | undefined {
    const own = this.#watches.get(key)?.pulse;
    const pulses = this.#watchesOf(key).map(({ pulse }) => pulse);
    return pulses.toSorted((a, b) => b.misses - a.misses)[0] ?? own;
  }

  #settings(key: string): HealthSettings {
    const { interval, timeout, url, isRemote } = this.#options.settings(key);
    return {
      interval: interval ?? defaultTiming.interval,
      timeout: timeout ?? defaultTiming.timeout,
      url,
      isRemote,
    };
  }

  async #fetch() {
    this.#http ??= this.#openHttp();
    return (await this.#http).fetch;
  }

  /** Loads an HTTP client only if a health check URL is configured. */
  async #openHttp(): Promise<HttpConnections> {
    const { openHttpConnections } = await import('../../transport/http-client/http-connections.ts');
    return openHttpConnections(await this.#options.env());
  }

  #now(): number {
    return this.#options.clock.now();
  }
}
