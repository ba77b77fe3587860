import { isRecord } from '../../../../../shared/json.ts';
import type { MemberEdit } from '../../../jsonrpc/json/edit-json.ts';
import { continuationKey } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { editMessage, jsonBytes, stampMeta } from '../edit-message.ts';
import type { Envelope } from '../envelope.ts';
import { hopKeys } from '../protocol.ts';

/**
 * Returns the request as a client with a session would send it. Its capabilities, and answers that came without a
 * state of ours, stay in it for a modern server and are removed for a legacy one.
 */
export function innerRequest(request: RawMessage, envelope: Envelope, innerId: number): RawMessage {
  const id = String(innerId);
  const known = stamps.get(envelope);
  const stamp = known ?? [{ name: hopKeys.capabilities, value: jsonBytes(envelope.capabilities) }];
  if (known === undefined) stamps.set(envelope, stamp);
  if (envelope.progressToken === undefined) return stampMeta(request, stamp, id);
  return stampMeta(request, [...stamp, { name: 'progressToken', value: Buffer.from(id) }], id);
}

/**
 * Returns the request to send again for a client that has come back: with its answers and the server's `state`, as
 * JSON, if there is one, else as it was at first.
 */
export function withState(request: RawMessage, state: string | undefined): RawMessage {
  const hasState = state !== undefined && state !== 'null';
  const requestState = { name: 'requestState', value: hasState ? Buffer.from(state) : undefined };
  const answers = state === undefined ? [{ name: 'inputResponses', value: undefined }] : [];
  return editMessage(request, ['params'], [requestState, ...answers]);
}

/** Returns the state that continues a call whose server went away while its client was asked. */
export function continuationIn({ error }: RawMessage): string | undefined {
  const state = isRecord(error?.data) ? error.data[continuationKey] : undefined;
  return typeof state === 'string' ? state : undefined;
}

export function withoutContinuation(message: RawMessage): RawMessage {
  if (continuationIn(message) === undefined) return message;
  return editMessage(message, ['error', 'data'], [{ name: continuationKey, value: undefined }]);
}

/** Edits by envelope, which several requests may share. */
const stamps = new WeakMap<Envelope, readonly MemberEdit[]>();
