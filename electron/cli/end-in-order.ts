import type { Hub } from '../engine/engine.ts';
import { type EndSignal, nextSignal } from './next-signal.ts';

/**
 * Stops the hub after a signal: lets calls in progress finish for as long as the sender is likely to wait. A
 * second signal stops it immediately.
 */
export async function shutDown(
  hub: Pick<Hub, 'activeCalls' | 'drain' | 'stop'>,
  signal: EndSignal,
  print: (text: string) => void,
): Promise<void> {
  // Registered before anything is printed, since the reader may respond immediately.
  const secondSignal = nextSignal();
  const calls = hub.activeCalls().length;
  if (calls > 0) {
    const callsText = calls === 1 ? 'a call' : `${calls} calls`;
    print(
      `Waiting up to ${drainTimeoutMs[signal] / 1_000} s for ${callsText} to finish. Press Ctrl-C to stop now.`,
    );
  }
  await Promise.race([hub.drain(drainTimeoutMs[signal]), secondSignal]);
  await hub.stop();
}

/** Milliseconds. A system that shuts down waits only briefly; a person can press Ctrl-C twice. */
const drainTimeoutMs: Readonly<Record<EndSignal, number>> = {
  SIGINT: 30_000,
  SIGTERM: 2_000,
  SIGHUP: 2_000,
  SIGQUIT: 2_000,
};
