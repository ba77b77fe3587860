import type { Problem } from '../../error/problem.ts';
import { patchbayCommand } from '../../shell-word.ts';
import type { ServerStatus } from './server.ts';

/** Explains the state of a server that has never listed its tools: a sentence and a fix. */
export function describeUnlistedServer(
  key: string,
  status: ServerStatus | undefined,
  problem?: Pick<Problem, 'sentence' | 'fix'>,
): { readonly sentence: string; readonly fix: string } {
  if (problem !== undefined) {
    const how = states[status ?? 'disconnected'];
    return { sentence: `The server ${key} ${how}: ${problem.sentence}`, fix: problem.fix };
  }
  const sentence = `The server ${key} ${states[status ?? 'disconnected']} and has not listed its tools yet.`;
  switch (status) {
    case 'disabled':
      return {
        sentence,
        fix: `Turn on ${key} in Patchbay, or with ${patchbayCommand('enable', key)}, then list the tools again.`,
      };
    case undefined:
    case 'error':
    case 'needs-auth':
      return {
        sentence,
        fix: `Open ${key} in Patchbay, or run "patchbay status", to see why it does not start.`,
      };
    default:
      return { sentence, fix: 'Try again in a moment. Its tools appear in the list once it has started.' };
  }
}

const states: Readonly<Record<ServerStatus, string>> = {
  disabled: 'is turned off',
  disconnected: 'is not running',
  connecting: 'is still starting',
  connected: 'is running',
  degraded: 'is running but degraded',
  'needs-auth': 'needs you to sign in',
  error: 'has failed to start',
};
