import { isRecord } from '../../../shared/json.ts';
import type { JsonRpcId } from './message.ts';

/**
 * What a parsed value is on a JSON-RPC connection. `invalid` is something meant as a message that breaks the rules;
 * `noise` was never meant as one.
 */
export type MessageKind = 'request' | 'notification' | 'result' | 'failure' | 'invalid' | 'noise';

/** Sorts a parsed value by its envelope; params and result are not looked into. */
export function messageKind(value: unknown): MessageKind {
  if (typeof value !== 'object' || value === null) return 'noise';
  if (Array.isArray(value)) return value.some(isMeantAsMessage) ? 'invalid' : 'noise';
  if (!isMeantAsMessage(value)) return 'noise';
  if (value.jsonrpc !== '2.0') return 'invalid';
  return value.method === undefined ? answerKind(value) : callKind(value);
}

/** The envelope of a message before it is trusted. */
export interface LooseEnvelope {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** JSON-RPC allows text and numbers; fractions cannot be matched reliably, so they are no ids here. */
export function isId(value: unknown): value is JsonRpcId {
  return typeof value === 'string' || Number.isInteger(value);
}

function isMeantAsMessage(value: unknown): value is LooseEnvelope {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'jsonrpc' in value || ('id' in value && ('method' in value || 'result' in value || 'error' in value))
  );
}

function callKind({ id, method, params, result, error }: LooseEnvelope): MessageKind {
  if (typeof method !== 'string' || result !== undefined || error !== undefined) return 'invalid';
  if (params !== undefined && !isRecord(params)) return 'invalid';
  if (id === undefined) return 'notification';
  return isId(id) ? 'request' : 'invalid';
}

/** Old libraries send both members and set one to null, which leaves no doubt about what is meant. */
function answerKind({ id, result, error }: LooseEnvelope): MessageKind {
  if (error === undefined || error === null) return result !== undefined && isId(id) ? 'result' : 'invalid';
  if ((result !== undefined && result !== null) || !isErrorObject(error)) return 'invalid';
  return isId(id) || id === undefined || id === null ? 'failure' : 'invalid';
}

/** Whether it is what JSON-RPC has an error be. */
export function isErrorObject(error: unknown): boolean {
  if (!isRecord(error)) return false;
  return (
    'code' in error &&
    typeof error.code === 'number' &&
    'message' in error &&
    typeof error.message === 'string'
  );
}
