import { isRecord } from '../../../shared/json.ts';
import type { JsonRpcErrorObject } from './message.ts';
import {
  isErrorObject,
  isId,
  isNotificationMethod,
  toOwnId,
  type UncheckedEnvelope,
} from './message-kind.ts';
import { repairError } from './repair-error.ts';

/** Sender of a message. A client can be told what is wrong with its message; a server cannot. */
export type MessageSender = 'client' | 'server';

/** A lenient reading of an envelope that violates JSON-RPC. */
export interface EnvelopeRepair {
  readonly kind: 'request' | 'notification' | 'result' | 'failure';
  /** Replaces the received error. */
  readonly error?: JsonRpcErrorObject;
  /** Replaces the id of a response; null if it identifies no request. */
  readonly id?: number | null;
  /** True if the params are to be used. */
  readonly hasParams?: boolean;
}

/**
 * Repairs an envelope that violates JSON-RPC. Returns undefined if it stays ambiguous.
 *
 * | member                                     | is read as                                                             |
 * | ------------------------------------------ | ---------------------------------------------------------------------- |
 * | `jsonrpc` missing, null, 2, "2"            | "2.0"; from a server anything, "1.0" too                                |
 * | `params` null                              | missing; from a server also an empty array, as PHP writes `{}`         |
 * | `method` null or "" in a response          | missing                                                                |
 * | `method` in a server's response            | missing, because the server repeats the request                        |
 * | `result`, `error` null next to a method    | missing                                                                |
 * | empty `error` with a result                | missing: null, false, 0, "", [], {}, or an object of these, or "OK"    |
 * | any other `error`                          | a failure, see {@link repairError}, also next to a result                |
 * | `id` null next to a method                 | a notification from a server; from a client, if the method is one      |
 * | `id` missing in a failure                  | null                                                                   |
 * | `id` of a response in an array or object   | the single number in it: `[1]`, `{"value":1}`, `{"Num":1,"Str":""}`     |
 * | any other `id` of a server's response      | null; a response with an infinite number as its id is dropped          |
 */
export function repairEnvelope(
  envelope: UncheckedEnvelope,
  sender: MessageSender,
): EnvelopeRepair | undefined {
  if (sender === 'client' && !acceptedVersions.has(envelope.jsonrpc)) return undefined;
  const isResponse = isBlank(envelope.method) || (sender === 'server' && repeatsRequest(envelope));
  return isResponse ? repairResponse(envelope, sender) : repairCall(envelope, sender);
}

function repeatsRequest({ id, result, error }: UncheckedEnvelope): boolean {
  return isId(id) && (!isBlank(result) || !isEmptyError(error));
}

const acceptedVersions: ReadonlySet<unknown> = new Set(['2.0', undefined, null, 2, '2']);

function repairCall(
  { id, method, params, result, error }: UncheckedEnvelope,
  sender: MessageSender,
): EnvelopeRepair | undefined {
  if (typeof method !== 'string' || !isBlank(result) || !isBlank(error)) return undefined;
  const isEmptyList = sender === 'server' && Array.isArray(params) && params.length === 0;
  const hasParams = params !== undefined && params !== null && !isEmptyList;
  if (hasParams && !isRecord(params)) return undefined;
  if (isId(id)) return { kind: 'request', hasParams };
  const isNotification =
    id === undefined || (id === null && (sender === 'server' || isNotificationMethod(method)));
  return isNotification ? { kind: 'notification', hasParams } : undefined;
}

function repairResponse(
  { id, result, error }: UncheckedEnvelope,
  sender: MessageSender,
): EnvelopeRepair | undefined {
  const isResult = result !== undefined && isEmptyError(error);
  if (!isResult && (error === undefined || error === null)) return undefined;
  // An infinite number cannot be an id.
  if (typeof id === 'number' && !isId(id)) return undefined;
  const repairedId = isId(id) ? undefined : (wrappedId(id) ?? null);
  const isAmbiguous = repairedId === null && (isResult || !isBlank(id));
  if (isAmbiguous && sender === 'client') return undefined;
  return {
    kind: isResult ? 'result' : 'failure',
    ...(isResult || isErrorObject(error) ? {} : { error: repairError(error) }),
    ...(repairedId === undefined ? {} : { id: repairedId }),
  };
}

/**
 * Extracts the single number from an array or object, which is how some libraries serialize an id that may
 * have several types.
 */
function wrappedId(id: unknown, depth = 0): number | undefined {
  if (typeof id !== 'object' || id === null) return depth === 0 ? undefined : toOwnId(id);
  const values: readonly unknown[] = Object.values(id);
  if (depth === maxIdDepth || values.length > maxIdMembers) return undefined;
  const found = values.map((value) => wrappedId(value, depth + 1)).filter((value) => value !== undefined);
  return found.length === 1 ? found[0] : undefined;
}

const maxIdDepth = 3;
const maxIdMembers = 8;

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isEmptyError(error: unknown): boolean {
  if (Array.isArray(error)) return error.length === 0;
  return isRecord(error) ? Object.values(error).every((value) => !value) || saysSuccess(error) : !error;
}

function saysSuccess({ code, message }: Readonly<Record<string, unknown>>): boolean {
  return code === 0 && typeof message === 'string' && /^\s{0,8}(?:ok|success|none|no error)\b/i.test(message);
}
