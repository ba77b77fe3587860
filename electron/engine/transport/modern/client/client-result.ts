import { mcpErrorCodes } from '../../../../../shared/model/mcp.ts';
import { composeResult } from '../../../jsonrpc/byte-message.ts';
import { editMembers, type MemberEdit, readMember } from '../../../jsonrpc/json/edit-json.ts';
import { skipSpace } from '../../../jsonrpc/json/json-scan.ts';
import { elementSpans } from '../../../jsonrpc/json/json-spans.ts';
import { rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { editMessage, isObject, jsonBytes } from '../edit-message.ts';
import { askingMethods, cacheableMethods, modernErrorCodes } from '../protocol.ts';

/**
 * Adds the members that a modern result must have: its type, and for lists how long they may be cached. A legacy
 * server's own `resultType` is replaced, since a client could take it for a request to come back.
 */
export function toModernResult(message: RawMessage, { method = '', idText }: RawMessage): RawMessage {
  const isList = cacheableMethods.has(method);
  const { resultType } = message;
  if (!isList && resultType === complete) return message;
  const bytes = message.resultBytes ?? jsonBytes(message.result);
  // Never shared, and never fresh: another client may be granted other tools, and servers come and go.
  const members = isList ? [completed, ...uncached] : [completed];
  const mayAppend = isList ? isPlain(bytes) : resultType === undefined && isObject(bytes);
  return mayAppend ? withLast(bytes, members, idText) : editMessage(message, ['result'], members);
}

/** True for an object without any of our members. The answer for a long one is kept: lists are sent many times. */
function isPlain(result: Buffer): boolean {
  if (plainResults.has(result)) return true;
  const isNew = isObject(result) && !ownMembers.some((name) => result.includes(name));
  if (isNew && result.length > longBytes) plainResults.add(result);
  return isNew;
}

/** Adds members at the end without reading what is before them: a list may be long. */
function withLast(result: Buffer, members: readonly MemberEdit[], idText: string): RawMessage {
  const isEmpty = skipSpace(result, 1) === result.length - 1;
  const added = members.map(({ name, value }) => `"${name}":${value?.toString('utf8')}`).join(',');
  return composeResult(idText, [result.subarray(0, -1), Buffer.from(`${isEmpty ? '' : ','}${added}}`)]);
}

/** As JSON. */
const complete = '"complete"';
const completed: MemberEdit = { name: 'resultType', value: Buffer.from(complete) };
const uncached: readonly MemberEdit[] = [
  { name: 'ttlMs', value: jsonBytes(0) },
  { name: 'cacheScope', value: jsonBytes('private') },
];
const ownMembers = [completed, ...uncached].map(({ name }) => Buffer.from(name));
const plainResults = new WeakSet<Buffer>();
const longBytes = 64 * 1024;

/**
 * Translates an error of a server; codes that the stateless protocol has dropped are replaced. Those about
 * another hop's version and headers are not the client's fault, which may give up the protocol over them.
 */
export function toModernError(message: RawMessage, method: string): RawMessage {
  const code = codeFor(message.error?.code, method);
  if (code === undefined) return message;
  return editMessage(message, ['error'], [{ name: 'code', value: jsonBytes(code) }]);
}

function codeFor(code: number | undefined, method: string): number | undefined {
  switch (code) {
    case mcpErrorCodes.resourceNotFound:
      return rpcErrorCodes.invalidParams;
    // An unknown tool is a wrong argument there; only an unknown method is "method not found".
    case rpcErrorCodes.methodNotFound:
      return askingMethods.has(method) ? rpcErrorCodes.invalidParams : undefined;
    case mcpErrorCodes.urlElicitationRequired:
    case modernErrorCodes.headerMismatch:
    case modernErrorCodes.unsupportedVersion:
      return rpcErrorCodes.internalError;
    default:
      return undefined;
  }
}

/**
 * Returns the params of the questions, as JSON, in a refusal that asks for visits to pages first; the server has
 * not acted on the request, so it may be sent again once the person has been there.
 */
export function urlQuestions(message: RawMessage): readonly Buffer[] {
  if (message.error?.code !== mcpErrorCodes.urlElicitationRequired) return [];
  const list = readMember(message.line(), ['error', 'data', 'elicitations']);
  if (list === undefined) return [];
  return elementSpans(list, 0)
    .map(({ start, end }) => list.subarray(start, end))
    .filter(isObject)
    .map((params) => {
      const mode = readMember(params, ['mode']) ?? jsonBytes('url');
      return editMembers(
        params,
        [],
        [
          { name: 'elicitationId', value: undefined },
          { name: 'mode', value: mode },
        ],
      );
    });
}
