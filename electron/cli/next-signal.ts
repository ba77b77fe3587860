/** What asks a program to end: Ctrl-C, the system or a service manager, a terminal that was closed, Ctrl-\\. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';

/**
 * Resolves with the next signal that asks this process to end. From then on none ends it by itself: one that came between
 * two of these, or while servers are being ended, would leave them running.
 */
export function nextSignal(): Promise<EndSignal> {
  return new Promise((resolve) => {
    for (const signal of endSignals) process.on(signal, () => resolve(signal));
  });
}

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
