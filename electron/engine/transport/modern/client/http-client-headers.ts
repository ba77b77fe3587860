import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../../../../shared/json.ts';
import { protocolVersions } from '../../../../../shared/model/mcp.ts';
import type { JsonRpcErrorObject } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { headerOf } from '../../http-server/http-server-rules.ts';
import { isEnveloped, metaOf } from '../envelope.ts';
import { decodeHeader, type ParamHeader, paramFault, paramHeadersOf } from '../param-headers.ts';
import { isModernVersion, metaKeys, modernErrorCodes, namedBy } from '../protocol.ts';

const sessionVersions: ReadonlySet<unknown> = new Set(protocolVersions);
const versionHeader = 'mcp-protocol-version';

/**
 * Tells the era of a POST. A header of the session-based protocol wins over reserved keys in the body, which
 * some clients with sessions send as well.
 */
export function eraOfPost(headers: IncomingHttpHeaders, message: RawMessage): 'legacy' | 'modern' {
  const version = headerOf(headers, versionHeader);
  if (isModernVersion(version)) return 'modern';
  const hasSession = headerOf(headers, 'mcp-session-id') !== undefined;
  if (hasSession || sessionVersions.has(version)) return 'legacy';
  return isEnveloped(message) ? 'modern' : 'legacy';
}

/** Compares the headers of a modern request with its body; the body alone decides what is done. */
export function headerMismatch(
  headers: IncomingHttpHeaders,
  message: RawMessage,
): JsonRpcErrorObject | undefined {
  const version = headerOf(headers, versionHeader);
  const named = versionOf(message);
  if (version === undefined) return mismatch('The MCP-Protocol-Version header is missing');
  if (named === undefined && message.method === 'initialize')
    return mismatch(`The MCP-Protocol-Version header names ${version}, which has no initialize`);
  if (named !== undefined && named !== version)
    return mismatch(`The MCP-Protocol-Version header and _meta differ: ${version} and ${named}`);
  const method = headerOf(headers, 'mcp-method');
  if (method !== message.method)
    return mismatch(`The Mcp-Method header must be ${message.method}, as in the body`);
  return undefined;
}

/** Checks the `Mcp-Name` header, which tells whom a request is for. */
export function nameMismatch(
  headers: IncomingHttpHeaders,
  message: RawMessage,
): JsonRpcErrorObject | undefined {
  const member = namedBy.get(message.method ?? '');
  if (member === undefined) return undefined;
  const sent = headers['mcp-name'];
  const value = typeof sent === 'string' ? decodeHeader(sent) : undefined;
  const named = member === 'taskId' ? message.params?.taskId : message.param(member);
  return value === named ? undefined : mismatch(`The Mcp-Name header must repeat params.${member}`);
}

/**
 * Checks the `Mcp-Param-*` headers of a tool call against its arguments, by the schema that the client was
 * listed. A schema that breaks the rules for them asks for none.
 */
export function paramMismatch(
  headers: IncomingHttpHeaders,
  message: RawMessage,
  inputSchema: unknown,
): JsonRpcErrorObject | undefined {
  if (!isRecord(inputSchema)) return undefined;
  let declared = declaredBy.get(inputSchema);
  if (declared === undefined) {
    declared = paramHeadersOf(inputSchema) ?? [];
    declaredBy.set(inputSchema, declared);
  }
  const fault = declared.length === 0 ? undefined : paramFault(declared, headers, message.params?.arguments);
  return fault === undefined ? undefined : mismatch(fault);
}

/** By schema, as each call is checked. */
const declaredBy = new WeakMap<object, readonly ParamHeader[]>();

function versionOf(message: RawMessage): string | undefined {
  const version = metaOf(message)[metaKeys.version];
  return typeof version === 'string' ? version.slice(0, 64) : undefined;
}

function mismatch(message: string): JsonRpcErrorObject {
  return { code: modernErrorCodes.headerMismatch, message };
}
