import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Lets whatever carries calls go first where processors are scarce: a batch is worked off in some milliseconds, and a call that
 * has to wait for it takes ten times as long. Only Linux knows the priority of one thread, under the name of a process.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    // <process>/task/<thread>
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (Number.isSafeInteger(thread)) setPriority(thread, Math.min(last, getPriority(thread) + step));
  } catch {
    // Then it takes its turn with all others.
  }
}

/** A third of the weight of others, which is several times what it needs: what it is to write is not long in coming. */
const step = 5;
const last = 19;
