import type { Problem } from '../error/problem.ts';
import type { ServerStatus } from './server.ts';

/** How a server is that has never said what it offers, for whoever wants something of it: a sentence and what to do. */
export function silentServer(
  key: string,
  status: ServerStatus | undefined,
  problem?: Pick<Problem, 'sentence' | 'fix'>,
): { readonly sentence: string; readonly fix: string } {
  if (problem !== undefined) {
    const how = states[status ?? 'disconnected'];
    return { sentence: `The server ${key} ${how}: ${problem.sentence}`, fix: problem.fix };
  }
  const sentence = `The server ${key} ${states[status ?? 'disconnected']}, and has never said what it offers.`;
  switch (status) {
    case 'disabled':
      return { sentence, fix: `Turn on ${key} in Patchbay, then list the tools again.` };
    case undefined:
    case 'error':
    case 'needs-auth':
      return { sentence, fix: `Look at ${key} in Patchbay, which says why it does not start.` };
    default:
      return { sentence, fix: 'Try again in a moment; its tools are in the list once it has started.' };
  }
}

const states: Readonly<Record<ServerStatus, string>> = {
  disabled: 'is turned off',
  disconnected: 'is not running',
  connecting: 'is still starting',
  connected: 'runs',
  degraded: 'runs, with trouble',
  'needs-auth': 'needs you to sign in',
  error: 'has failed to start',
};
