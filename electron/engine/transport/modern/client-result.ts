import { isRecord } from '../../../../shared/json.ts';
import { readMember } from '../../jsonrpc/json/edit-json.ts';
import type { JsonRpcErrorObject } from '../../jsonrpc/message.ts';
import { rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { editMessage, jsonBytes } from './edit-message.ts';
import { askingMethods, cacheableMethods } from './protocol.ts';

/** Adds what a modern result must have: its type, and for lists how long it holds. */
export function toModernResult(message: RawMessage, method: string): RawMessage {
  const bytes = message.resultBytes ?? jsonBytes(message.result);
  const has = (name: string) => bytes.includes(`"${name}"`) && readMember(bytes, [name]) !== undefined;
  const isList = cacheableMethods.has(method);
  const members = [
    ...(has('resultType') ? [] : [{ name: 'resultType', value: complete }]),
    // Never shared, and never fresh: another client may be granted other tools, and servers come and go.
    ...(isList
      ? [
          { name: 'ttlMs', value: zero },
          { name: 'cacheScope', value: isPrivate },
        ]
      : []),
  ];
  return members.length === 0 ? message : editMessage(message, ['result'], members);
}

const complete = jsonBytes('complete');
const zero = jsonBytes(0);
const isPrivate = jsonBytes('private');

/** Translates an error of the session-based protocol; codes that the modern one has dropped are replaced. */
export function toModernError(error: JsonRpcErrorObject, method: string): JsonRpcErrorObject {
  // An unknown tool is a wrong argument there; only an unknown method is "method not found".
  const isUnknownName = error.code === rpcErrorCodes.methodNotFound && askingMethods.has(method);
  const isReplaced = error.code === resourceNotFound || isUnknownName;
  return isReplaced ? { ...error, code: rpcErrorCodes.invalidParams } : error;
}

const resourceNotFound = -32002;
const urlElicitationRequired = -32042;

/**
 * Returns the questions in a refusal that asks for visits to pages first; the server has not acted on the
 * request, so it may be sent again once the person has been there.
 */
export function urlQuestions(error: JsonRpcErrorObject): readonly Readonly<Record<string, unknown>>[] {
  if (error.code !== urlElicitationRequired || !isRecord(error.data)) return [];
  const { elicitations } = error.data;
  return Array.isArray(elicitations) ? elicitations.filter(isRecord) : [];
}
