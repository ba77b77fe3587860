import { networkInterfaces } from 'node:os';
import type { Disposable } from './disposable.ts';

export interface NetworkWatchOptions {
  /** Returns a text that identifies the current network. */
  readonly read: () => string;
  readonly onChange: () => void;
  readonly every: (milliseconds: number, action: () => void) => Disposable;
}

/** Polls for network changes, because no system reports them to the main process. */
export function watchNetwork({ read, onChange, every }: NetworkWatchOptions): Disposable {
  let last = read();
  return every(pollIntervalMs, () => {
    const now = read();
    if (now === last) return;
    last = now;
    onChange();
  });
}

/** Returns the machine's external addresses; takes a fraction of a millisecond. */
export function networkAddresses(): string {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal ? [] : [one.cidr ?? one.address]))
    .sort()
    .join(' ');
}

/** In milliseconds. */
export const pollIntervalMs = 10_000;
