import { isListMethod } from '../engine/catalogue/list-answer.ts';

/** Reading twice does no harm; calling a tool twice may. Methods nothing is known of are treated like calls. */
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
