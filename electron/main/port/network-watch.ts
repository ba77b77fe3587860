import { networkInterfaces } from 'node:os';
import type { Disposable } from './disposable.ts';

export interface NetworkWatchOptions {
  /** What the network is now; another text for another network. */
  readonly read: () => string;
  readonly onChange: () => void;
  readonly every: (milliseconds: number, action: () => void) => Disposable;
}

/** Hears of a changed network. No system tells a main process of it, so that it is looked at now and then. */
export function watchNetwork({ read, onChange, every }: NetworkWatchOptions): Disposable {
  let last = read();
  return every(lookEvery, () => {
    const now = read();
    if (now === last) return;
    last = now;
    onChange();
  });
}

/** The addresses of this machine as the world sees them; a look costs a fraction of a millisecond. */
export function networkAddresses(): string {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal ? [] : [one.cidr ?? one.address]))
    .sort()
    .join(' ');
}

/** Milliseconds. */
export const lookEvery = 10_000;
