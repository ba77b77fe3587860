/** Signals that ask a program to end: Ctrl-C, the system or a service manager, a closed terminal, Ctrl-\. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';

/**
 * Resolves with the next signal that asks this process to end. From then on no signal ends the process by
 * default: one that arrived between two of these, or while servers are being stopped, would leave servers
 * running.
 */
export function nextSignal(): Promise<EndSignal> {
  return new Promise((resolve) => {
    for (const signal of endSignals) process.on(signal, () => resolve(signal));
  });
}

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
