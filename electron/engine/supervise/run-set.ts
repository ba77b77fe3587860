import { Emitter } from '../base/emitter.ts';
import type { ServerLog } from './contract.ts';
import type { ClientIntroduction } from './instances-contract.ts';
import type { RunnableOrder } from './plan.ts';
import type { Redact } from './redact.ts';
import type { RunOptions, RunPorts, RunResult } from './run.ts';
import { type RunOwner, ServerRun } from './server-run.ts';

export interface RunSetOptions {
  readonly key: string;
  readonly ports: RunPorts;
  readonly run: (options: RunOptions) => Promise<RunResult>;
  readonly owner: RunOwner;
  readonly introduction?: () => ClientIntroduction | undefined;
}

/**
 * All processes of one server that have not ended: the active one, a candidate for its place, and those
 * finishing old calls.
 */
export class RunSet {
  readonly #options: RunSetOptions;
  readonly #runs = new Set<ServerRun>();
  /** Fires when a call or a process has ended. */
  readonly #quiet = new Emitter<void>();
  #refusesCalls = false;
  /** Knows the secrets of the latest process, for text that is logged after its end. */
  #redact: Redact = (text) => text;

  constructor(options: RunSetOptions) {
    this.#options = options;
  }

  get refusesCalls(): boolean {
    return this.#refusesCalls;
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }

  get activeCalls(): number {
    let calls = 0;
    for (const run of this.#runs) calls += run.activeCalls;
    return calls;
  }

  /** True if no process is ending: a server may need resources that its last process still holds. */
  get isFree(): boolean {
    return ![...this.#runs].some(({ phase }) => phase === 'ending');
  }

  get isDraining(): boolean {
    return [...this.#runs].some(({ phase }) => phase === 'draining');
  }

  /** Starts a process; see {@link RunOptions.again}. */
  begin(order: RunnableOrder, log: ServerLog, again = false): ServerRun {
    const run = new ServerRun({ ...this.#options, order, log, again });
    this.#runs.add(run);
    this.#redact = run.redact;
    if (this.#refusesCalls) run.refuseCalls();
    return run;
  }

  over(run: ServerRun): void {
    this.#runs.delete(run);
    this.#quiet.fire();
  }

  /** Called for almost every call, so it does nothing while nobody waits. */
  quiet(): void {
    if (this.#quiet.hasListeners) this.#quiet.fire();
  }

  /** Masks the secrets of all processes. */
  hide(text: string): string {
    if (this.isEmpty) return this.#redact(text);
    let hidden = text;
    for (const { redact } of this.#runs) hidden = redact(hidden);
    return hidden;
  }

  endAll(): void {
    for (const run of this.#runs) run.end();
  }

  /** Resolves when no process is left, or earlier if the server is wanted again. */
  async gone(isOfInterest: () => boolean): Promise<void> {
    while (!isOfInterest() && !this.isEmpty) {
      await Promise.all([...this.#runs].map(({ over }) => over));
    }
  }

  /** Stops taking new calls; resolves when the pending ones are answered. */
  refuseCalls(): Promise<void> {
    this.#refusesCalls = true;
    for (const run of this.#runs) run.refuseCalls();
    if (this.activeCalls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const subscription = this.#quiet.event(() => {
        if (this.activeCalls > 0) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  /** Takes calls again. */
  takeCalls(): void {
    this.#refusesCalls = false;
    for (const run of this.#runs) run.takeCalls();
  }
}
