import type { RawItem } from '../../catalogue/contract.ts';
import type { RawRequest } from '../../rpc/raw-message.ts';
import { idempotencyKeyOf } from './idempotency.ts';

/** Methods that change nothing, by the protocol. */
const readOnlyMethods: ReadonlySet<string> = new Set([
  'completion/complete',
  'ping',
  'prompts/get',
  'resources/read',
  'tasks/get',
  'tasks/list',
]);

/**
 * Checks whether a request that may have run may be sent again (requirements, rulings): it only reads, its
 * tool is annotated as safe to repeat, or its caller gave it an idempotency key.
 */
export function mayRepeat(request: RawRequest, tool: RawItem | undefined): boolean {
  if (request.method !== 'tools/call') return readOnlyMethods.has(request.method);
  return isSafeToRepeat(tool) || idempotencyKeyOf(request) !== undefined;
}

/** Checks whether a tool's annotations say that it may run more than once. */
export function isSafeToRepeat(tool: RawItem | undefined): boolean {
  const annotations = tool?.annotations;
  if (typeof annotations !== 'object' || annotations === null) return false;
  const { readOnlyHint, idempotentHint } = annotations as Readonly<Record<string, unknown>>;
  return readOnlyHint === true || idempotentHint === true;
}
