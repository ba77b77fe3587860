import { processIdentity } from '../store/process-identity.ts';

/** Processes remembered with what tells each from a later one with the same pid, so that no stranger is signalled. */
export class ProcessSet {
  readonly #identities = new Map<number, string>();

  /** Remembers those that still live. */
  async add(pids: Iterable<number>): Promise<void> {
    await Promise.all([...pids].map((pid) => this.#add(pid)));
  }

  async living(): Promise<readonly number[]> {
    const living = await Promise.all(
      [...this.#identities].map(async ([pid, identity]) =>
        sendSignal(pid, 0) && (await processIdentity(pid)) === identity ? [pid] : [],
      ),
    );
    return living.flat();
  }

  async #add(pid: number): Promise<void> {
    const identity = await processIdentity(pid);
    if (identity !== undefined) this.#identities.set(pid, identity);
  }
}

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** False when there is nobody to receive it. A negative target is a process group. */
export function sendSignal(target: number, signal: EndSignal | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    // EPERM: it lives, but has changed its user; whoever calls sees that it stays.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Signals each. */
export function signalAll(pids: readonly number[], signal: EndSignal): void {
  for (const pid of pids) sendSignal(pid, signal);
}
