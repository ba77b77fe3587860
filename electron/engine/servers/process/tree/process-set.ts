import { processIdentity } from '../../../store/files/process-identity.ts';

/** Processes with their identities, so that a later process with the same pid is never signalled. */
export class ProcessSet {
  readonly #identities = new Map<number, string>();

  /** Adds the processes that are still alive. */
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

/** Returns false if there is no receiver. A negative target is a process group. */
export function sendSignal(target: number, signal: EndSignal | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    // EPERM: it lives, but has changed its user. The caller will notice that it stays.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function signalAll(pids: readonly number[], signal: EndSignal): void {
  for (const pid of pids) sendSignal(pid, signal);
}
