import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this thread, so that calls go first when processors are scarce: a batch takes some
 * milliseconds, and a call that has to wait for it takes ten times as long. Only Linux has thread priorities,
 * set as if the thread were a process.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // <process>/task/<thread>
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (Number.isSafeInteger(thread)) setPriority(thread, Math.min(maxNice, getPriority(thread) + niceStep));
  } catch {
    // The thread then keeps its normal priority.
  }
}

/**
 * About a third of the normal weight, several times what the thread needs, so that writes are not delayed for
 * long.
 */
const niceStep = 5;
const maxNice = 19;
