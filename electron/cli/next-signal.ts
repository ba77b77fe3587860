/** What asks a program to end: Ctrl-C, the system or a service manager, a terminal that was closed, Ctrl-\\. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';

/** Resolves with the next signal that asks this process to end. */
export function nextSignal(): Promise<EndSignal> {
  return new Promise((resolve) => {
    for (const signal of endSignals) process.once(signal, () => resolve(signal));
  });
}

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
