import { isListMethod } from '../engine/catalogue/list-answer.ts';

/**
 * Returns true if a request can safely be repeated. Unknown methods are treated like tool calls, which may
 * have effects.
 */
export function isRepeatable(method: string): boolean {
  return isListMethod(method) || repeatable.has(method);
}

const repeatable: ReadonlySet<string> = new Set([
  'ping',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
]);
