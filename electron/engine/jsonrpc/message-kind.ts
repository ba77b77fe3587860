import { isRecord } from '../../../shared/json.ts';
import type { JsonRpcId } from './message-types.ts';

/**
 * The role of a parsed value on a JSON-RPC connection. `invalid` was meant as a message but breaks the rules;
 * `noise` was never meant as one.
 */
export type MessageKind = 'request' | 'notification' | 'result' | 'failure' | 'invalid' | 'noise';

/** Classifies a parsed value by its envelope; params and result are not examined. */
export function messageKind(value: unknown): MessageKind {
  if (typeof value !== 'object' || value === null) return 'noise';
  if (Array.isArray(value)) return value.some(looksLikeMessage) ? 'invalid' : 'noise';
  if (!looksLikeMessage(value)) return 'noise';
  if (value.jsonrpc !== '2.0') return 'invalid';
  return value.method === undefined ? responseKind(value) : callKind(value);
}

/** The envelope of a message before validation. */
export interface UncheckedEnvelope {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** JSON-RPC allows strings and numbers; fractions too, which clients make with `Math.random()`. */
export function isId(value: unknown): value is JsonRpcId {
  return typeof value === 'string' || Number.isFinite(value);
}

/**
 * Converts the id of a response to the number of our request. Our ids are whole numbers, so `"1"`, `"1.0"`
 * and `" 1"` can only mean 1. Returns undefined if it cannot be one of ours, for example a number beyond
 * double precision.
 */
export function toOwnId(id: unknown): number | undefined {
  const number = typeof id === 'string' && wholeNumberPattern.test(id) ? Number(id) : id;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** The repetitions are bounded so that matching is always fast. */
const wholeNumberPattern = /^\s{0,8}\d{1,15}(?:\.0{1,15})?(?:e\+?0{1,3})?\s{0,8}$/i;

export function looksLikeMessage(value: unknown): value is UncheckedEnvelope {
  if (typeof value !== 'object' || value === null) return false;
  if ('jsonrpc' in value) return true;
  if ('id' in value && ('method' in value || 'result' in value || 'error' in value)) return true;
  return 'method' in value && isNotificationMethod(value.method);
}

/** Tells log records, which may have an id, a result and an error as well, from messages. */
export function isLogRecord(value: unknown): boolean {
  return (
    isRecord(value) &&
    !('jsonrpc' in value) &&
    ['level', 'severity', 'levelname'].some((name) => name in value)
  );
}

/** Checks whether the method is named like a notification. */
export function isNotificationMethod(method: unknown): boolean {
  return typeof method === 'string' && method.startsWith('notifications/');
}

function callKind({ id, method, params, result, error }: UncheckedEnvelope): MessageKind {
  if (typeof method !== 'string' || result !== undefined || error !== undefined) return 'invalid';
  if (params !== undefined && !isRecord(params)) return 'invalid';
  if (id === undefined) return 'notification';
  return isId(id) ? 'request' : 'invalid';
}

/** Old libraries send both members and set one to null, which is unambiguous. */
function responseKind({ id, result, error }: UncheckedEnvelope): MessageKind {
  if (error === undefined || error === null) return result !== undefined && isId(id) ? 'result' : 'invalid';
  if ((result !== undefined && result !== null) || !isErrorObject(error)) return 'invalid';
  return isId(id) || id === undefined || id === null ? 'failure' : 'invalid';
}

/** Checks whether the value is a valid JSON-RPC error object. */
export function isErrorObject(error: unknown): boolean {
  if (!isRecord(error)) return false;
  return (
    'code' in error &&
    Number.isSafeInteger(error.code) &&
    'message' in error &&
    typeof error.message === 'string'
  );
}
