import { Emitter } from '../../base/emitter.ts';
import type { InitializeParams, ServerLog } from '../contract.ts';
import type { Redact } from '../log/redact.ts';
import type { RunnableConfig } from './plan.ts';
import type { RunOptions, RunPorts, RunResult } from './run.ts';
import { type ProcessOwner, ServerProcess } from './server-process.ts';

export interface ServerProcessesOptions {
  readonly key: string;
  readonly ports: RunPorts;
  readonly run: (options: RunOptions) => Promise<RunResult>;
  readonly owner: ProcessOwner;
  readonly initializeParams?: () => InitializeParams | undefined;
}

/**
 * All processes of one server that have not ended: the active one, a candidate for its place, and those
 * finishing old calls.
 */
export class ServerProcesses {
  readonly #options: ServerProcessesOptions;
  readonly #processes = new Set<ServerProcess>();
  /** Fires when a call or a process has ended. */
  readonly #idle = new Emitter<void>();
  #refusesCalls = false;
  /** Knows the secrets of the latest process, for text that is logged after its end. */
  #redact: Redact = (text) => text;

  constructor(options: ServerProcessesOptions) {
    this.#options = options;
  }

  get refusesCalls(): boolean {
    return this.#refusesCalls;
  }

  get isEmpty(): boolean {
    return this.#processes.size === 0;
  }

  get activeCalls(): number {
    let calls = 0;
    for (const process of this.#processes) calls += process.activeCalls;
    return calls;
  }

  /** True if no process is ending: a server may need resources that its last process still holds. */
  get isFree(): boolean {
    return ![...this.#processes].some(({ phase }) => phase === 'ending');
  }

  get isDraining(): boolean {
    return [...this.#processes].some(({ phase }) => phase === 'draining');
  }

  /** Starts a process; see {@link RunOptions.again}. */
  start(config: RunnableConfig, log: ServerLog, isRetry = false): ServerProcess {
    const process = new ServerProcess({ ...this.#options, config, log, isRetry });
    this.#processes.add(process);
    this.#redact = process.redact;
    if (this.#refusesCalls) process.refuseCalls();
    return process;
  }

  exited(process: ServerProcess): void {
    this.#processes.delete(process);
    this.#idle.fire();
  }

  /** Called for almost every call, so it does nothing while nobody waits. */
  idle(): void {
    if (this.#idle.hasListeners) this.#idle.fire();
  }

  /** Masks the secrets of all processes. */
  redactAll(text: string): string {
    if (this.isEmpty) return this.#redact(text);
    let result = text;
    for (const { redact } of this.#processes) result = redact(result);
    return result;
  }

  endAll(): void {
    for (const process of this.#processes) process.end();
  }

  /** Resolves when no process is left, or earlier if the server is wanted again. */
  async whenGone(isWanted: () => boolean): Promise<void> {
    while (!isWanted() && !this.isEmpty) {
      await Promise.all([...this.#processes].map(({ exited }) => exited));
    }
  }

  /** Stops taking new calls; resolves when the pending ones are answered. */
  refuseCalls(): Promise<void> {
    this.#refusesCalls = true;
    for (const process of this.#processes) process.refuseCalls();
    if (this.activeCalls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const subscription = this.#idle.event(() => {
        if (this.activeCalls > 0) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  /** Takes calls again. */
  takeCalls(): void {
    this.#refusesCalls = false;
    for (const process of this.#processes) process.takeCalls();
  }
}
