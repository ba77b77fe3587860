import type { QuitPlan } from '../../../shared/model/activity/call.ts';
import { formatCount } from './format-amount.ts';

/**
 * Returns the connected clients and calls as a sentence: `2 clients are connected and 1 call is in progress.`
 */
export function quitSentence({ clients, calls }: QuitPlan): string {
  const parts = [
    ...(clients.length === 0 ? [] : [`${formatCount(clients.length, 'client')} ${be(clients)} connected`]),
    ...(calls.length === 0 ? [] : [`${formatCount(calls.length, 'call')} ${be(calls)} in progress`]),
  ];
  return parts.length === 0 ? 'No clients are connected.' : `${parts.join(' and ')}.`;
}

function be(things: readonly unknown[]): string {
  return things.length === 1 ? 'is' : 'are';
}
