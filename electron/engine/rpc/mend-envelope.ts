import { isRecord } from '../../../shared/json.ts';
import { mendError } from './mend-error.ts';
import type { JsonRpcErrorObject } from './message.ts';
import { isErrorObject, isId, isNoticeName, type LooseEnvelope } from './message-kind.ts';

/** Sender of a message: a client can be told what is wrong with it, a server cannot. */
export type Speaker = 'client' | 'server';

/** Reading of an envelope that strays from JSON-RPC. */
export interface Mend {
  readonly kind: 'request' | 'notification' | 'result' | 'failure';
  /** Stands in place of the error as it came. */
  readonly error?: JsonRpcErrorObject;
  /** The params count. */
  readonly hasParams?: boolean;
}

/**
 * Judges what is not JSON-RPC by the letter, undefined for what leaves a doubt.
 *
 * | member                                  | is taken as                                                               |
 * | --------------------------------------- | ------------------------------------------------------------------------- |
 * | `jsonrpc` missing, null, 2, "2"         | "2.0"; of a server anything, "1.0" too                                     |
 * | `params` null                           | missing; of a server an empty array too, which is how PHP writes `{}`     |
 * | `method` null or "" beside an answer    | missing                                                                   |
 * | `result`, `error` null beside a method  | missing                                                                   |
 * | `error` that says nothing and a result  | missing: null, false, 0, "", [], {}                                       |
 * | any other `error`                       | a failure, see {@link mendError}, also beside a result                    |
 * | `id` null beside a method               | a notification of a server; of a client, if the method is one             |
 * | `id` missing in a failure               | null                                                                      |
 */
export function mendEnvelope(envelope: LooseEnvelope, speaker: Speaker): Mend | undefined {
  if (speaker === 'client' && !versions.has(envelope.jsonrpc)) return undefined;
  return isNothing(envelope.method) ? mendAnswer(envelope) : mendCall(envelope, speaker);
}

const versions: ReadonlySet<unknown> = new Set(['2.0', undefined, null, 2, '2']);

function mendCall({ id, method, params, result, error }: LooseEnvelope, speaker: Speaker): Mend | undefined {
  if (typeof method !== 'string' || !isNothing(result) || !isNothing(error)) return undefined;
  const isEmptyList = speaker === 'server' && Array.isArray(params) && params.length === 0;
  const hasParams = params !== undefined && params !== null && !isEmptyList;
  if (hasParams && !isRecord(params)) return undefined;
  if (isId(id)) return { kind: 'request', hasParams };
  const isNotice = id === undefined || (id === null && (speaker === 'server' || isNoticeName(method)));
  return isNotice ? { kind: 'notification', hasParams } : undefined;
}

function mendAnswer({ id, result, error }: LooseEnvelope): Mend | undefined {
  if (result !== undefined && saysNothing(error)) return isId(id) ? { kind: 'result' } : undefined;
  if (error === undefined || error === null) return undefined;
  if (!isId(id) && !isNothing(id)) return undefined;
  return isErrorObject(error) ? { kind: 'failure' } : { kind: 'failure', error: mendError(error) };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function saysNothing(error: unknown): boolean {
  if (Array.isArray(error)) return error.length === 0;
  return isRecord(error) ? Object.keys(error).length === 0 : !error;
}
