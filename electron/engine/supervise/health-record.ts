import type { HealthSample, ServerHealth } from '../../../shared/model/health.ts';
import { Emitter } from '../base/emitter.ts';
import type { ServerState } from './contract.ts';
import { HealthHistory } from './health-history.ts';
import {
  type CheckOutcome,
  findIssue,
  type HealthIssue,
  type HealthTiming,
  type Pulse,
} from './health-rules.ts';

/** All that is known about one server's health, over all of its processes and starts. */
export class HealthRecord {
  readonly samples = new Emitter<readonly HealthSample[]>();
  readonly #history = new HealthHistory();
  /** Current problem, and since when it has existed. */
  #issue: { readonly issue: HealthIssue; readonly since: number } | undefined;
  /** True if it has been down since the last span was closed. */
  #wasDown = false;

  get issue() {
    return this.#issue;
  }

  get history(): readonly HealthSample[] {
    return this.#history.samples;
  }

  recordCall(milliseconds: number, failed: boolean): void {
    this.#history.recordCall(milliseconds, failed);
  }

  recordCheck(outcome: CheckOutcome, { timeout }: HealthTiming): void {
    if (outcome.kind === 'missed') this.#history.recordCheck(timeout);
    else if (outcome.kind === 'good' && outcome.milliseconds !== undefined) {
      this.#history.recordCheck(outcome.milliseconds);
    }
  }

  markRestart(): void {
    this.#history.markRestart();
    this.#issue = undefined;
  }

  markDown(): void {
    this.#wasDown = true;
  }

  /** Judges the health again; returns true if the kind of problem has changed. */
  updateIssue(pulse: Pulse | undefined, timing: HealthTiming, now: number): boolean {
    const before = this.#issue;
    const recent = this.#history.recent(now);
    const issue = pulse === undefined ? undefined : findIssue(pulse, recent, before?.issue, timing);
    this.#issue = issue && { issue, since: before?.since ?? now };
    return issue?.kind !== before?.issue.kind;
  }

  view(pulse: Pulse, now: number): ServerHealth {
    const { calls, failedCalls, responseMs } = this.#history.recent(now);
    const { by, lastCheckAt, lastOkAt, misses } = pulse;
    return {
      by,
      lastCheckAt,
      ...(lastOkAt === undefined ? {} : { lastOkAt }),
      misses,
      ...(responseMs === undefined ? {} : { responseMs }),
      errorRate: calls === 0 ? 0 : failedCalls / calls,
    };
  }

  /** Closes the open span and notifies listeners. */
  closeSpan(state: ServerState, isRunning: boolean, now: number): void {
    const sample = this.#history.close(now, this.#spanStatus(state, isRunning));
    this.#wasDown = false;
    if (sample !== undefined) this.samples.fire([sample]);
  }

  #spanStatus(state: ServerState, isRunning: boolean): HealthSample['status'] | undefined {
    if (this.#wasDown || isDown(state)) return 'down';
    if (!isRunning) return undefined;
    const { calls, errors } = this.#history.current;
    if (this.#issue?.issue.kind === 'slow') return 'slow';
    return this.#issue !== undefined || (errors > 0 && errors >= calls / 2) ? 'failing' : 'ok';
  }
}

/** Tells whether the server is meant to run but does not. */
function isDown(state: ServerState): boolean {
  if (state.status === 'disconnected') return state.problem !== undefined && state.asleep !== true;
  return state.status === 'error' || state.status === 'needs-auth';
}
