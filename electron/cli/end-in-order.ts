import type { Hub } from '../engine/engine.ts';
import { type EndSignal, nextSignal } from './next-signal.ts';

/**
 * Stops the hub after a signal: lets calls in progress finish for as long as the sender is likely to wait. A
 * second signal stops it immediately.
 */
export async function endInOrder(
  hub: Pick<Hub, 'activeCalls' | 'drain' | 'stop'>,
  signal: EndSignal,
  tell: (text: string) => void,
): Promise<void> {
  // Registered before anything is printed, since the reader may respond immediately.
  const again = nextSignal();
  const calls = hub.activeCalls().length;
  if (calls > 0) {
    const what = calls === 1 ? 'a call' : `${calls} calls`;
    tell(`Waiting up to ${patience[signal] / 1_000} s for ${what} to finish. Press Ctrl-C to stop now.`);
  }
  await Promise.race([hub.drain(patience[signal]), again]);
  await hub.stop();
}

/** Milliseconds. A system that shuts down waits only briefly; a person can press Ctrl-C twice. */
const patience: Readonly<Record<EndSignal, number>> = {
  SIGINT: 30_000,
  SIGTERM: 2_000,
  SIGHUP: 2_000,
  SIGQUIT: 2_000,
};
