import type { JsonRpcId } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';

/** Kind and id of a message, as far as its beginning and end show them. */
export interface IdentifiedMessage {
  readonly kind: 'request' | 'answer';
  readonly id: JsonRpcId;
}

/**
 * Reads kind and id of a JSON-RPC message from its first and last characters, for messages that are too long
 * to read or not worth parsing again. Only members that are certainly top-level count: those before the first
 * nested value, and an `id` right before the closing brace.
 */
export function identifyMessage(head: string, tail: string): IdentifiedMessage | undefined {
  const opening = OPENING.exec(head);
  if (opening === null) return undefined;
  const written = IDENTIFIER_AT_START.exec(opening[1] ?? '')?.[1] ?? IDENTIFIER_AT_END.exec(tail)?.[1];
  const id: unknown = written === undefined ? undefined : JSON.parse(written);
  if (!isId(id)) return undefined;
  return { kind: opening[2] === 'result' || opening[2] === 'error' ? 'answer' : 'request', id };
}

/** Matches the flat members at the start, then the first member that shows the kind. */
const OPENING =
  /^\s*\{\s*((?:"(?:jsonrpc|id)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d+)\s*,\s*)*)"(result|error|method|params)"/;
const IDENTIFIER_AT_START = /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/;
const IDENTIFIER_AT_END = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/;
