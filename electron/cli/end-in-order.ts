import type { Hub } from '../engine/engine.ts';
import { type EndSignal, nextSignal } from './next-signal.ts';

/**
 * Ends the hub for a signal: calls under way are let end first, for as long as whoever sent it is likely to wait. A
 * second signal cuts them.
 */
export async function endInOrder(
  hub: Pick<Hub, 'activeCalls' | 'drain' | 'stop'>,
  signal: EndSignal,
  tell: (text: string) => void,
): Promise<void> {
  // Before anything is printed: whoever reads it may answer at once.
  const again = nextSignal();
  const calls = hub.activeCalls().length;
  if (calls > 0) {
    const what = calls === 1 ? 'a call' : `${calls} calls`;
    tell(`Waiting for ${what} to end, ${patience[signal] / 1_000} s at most. End at once with Ctrl-C.`);
  }
  await Promise.race([hub.drain(patience[signal]), again]);
  await hub.stop();
}

/** Milliseconds. A system that goes down waits for a moment only; a person can ask twice. */
const patience: Readonly<Record<EndSignal, number>> = {
  SIGINT: 30_000,
  SIGTERM: 2_000,
  SIGHUP: 2_000,
  SIGQUIT: 2_000,
};
