import type { IncomingHttpHeaders } from 'node:http';
import { mcpErrorCodes, protocolVersions } from '../../../../shared/model/mcp.ts';
import { rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { HttpRefusal } from './http-refusal.ts';

/** Response types that a client accepts. */
export interface AcceptedForms {
  readonly json: boolean;
  readonly events: boolean;
}

/**
 * Determines the response types from the Accept header. The protocol requires both; a client that accepts
 * only one gets that one. A client that does not list event streams may be unable to read one: a missing or
 * empty header and ranges such as `*\/*` mean JSON.
 */
export function acceptedForms({ accept = '' }: IncomingHttpHeaders): AcceptedForms {
  if (accept === defaultAccept) return bothForms;
  const ranges = readRanges(accept);
  if (ranges.size === 0) return { json: true, events: false };
  const json = accepts(ranges, 'application/json');
  const events = accepts(ranges, 'text/event-stream');
  return { json, events: events && (!json || ranges.has('text/event-stream')) };
}

/** Maps each range, in lower case, to whether it is accepted; `q=0` means that it is not. */
function readRanges(accept: string): ReadonlyMap<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const part of accept.toLowerCase().split(',')) {
    const [types = '', ...parameters] = part.split(';');
    const isRefused = parameters.some((parameter) => zeroQuality.test(parameter));
    // Some hand-written clients separate ranges with spaces.
    for (const type of types.split(/\s/)) if (type !== '') ranges.set(type, !isRefused);
  }
  return ranges;
}

const zeroQuality = /^\s*q\s*=\s*"?0(?:\.0{0,15})?"?\s*$/;

/** The most specific range decides. */
function accepts(ranges: ReadonlyMap<string, boolean>, type: string): boolean {
  const group = type.replace(/\/.*/, '/*');
  return ranges.get(type) ?? ranges.get(group) ?? ranges.get('*/*') ?? ranges.get('*') ?? false;
}

export function checkPost(accepted: AcceptedForms): HttpRefusal | undefined {
  return accepted.json || accepted.events
    ? undefined
    : notAcceptable('application/json or text/event-stream');
}

/** A client that asks for the session stream can read one, unless it says otherwise. */
export function checkGet({ accept = '' }: IncomingHttpHeaders): HttpRefusal | undefined {
  const ranges = readRanges(accept);
  const isAccepted = ranges.size === 0 || accepts(ranges, 'text/event-stream');
  return isAccepted ? undefined : notAcceptable('text/event-stream');
}

/** Checks that a request belongs to this session, and that the session is initialized. */
export function checkSession(
  headers: IncomingHttpHeaders,
  sessionId: string | undefined,
): HttpRefusal | undefined {
  if (sessionId === undefined) return invalidRequest('The client has not sent initialize');
  const named = headerOf(headers, 'mcp-session-id');
  if (named === undefined) return invalidRequest('The Mcp-Session-Id header is missing');
  if (named !== sessionId) return sessionNotFound;
  const revision = headerOf(headers, 'mcp-protocol-version');
  if (revision === undefined || revisions.has(revision)) return undefined;
  return invalidRequest(
    `Unsupported protocol version: ${revision} (supported: ${protocolVersions.join(', ')})`,
  );
}

/**
 * Returns the first value of a header, even if it was sent twice; undefined for an empty one, and for the text
 * that clients in JavaScript or Python make of a missing value.
 */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const values = headers[name];
  const value = typeof values === 'string' ? values : values?.[0];
  if (value === undefined || value === '') return undefined;
  const end = value.indexOf(',');
  const first = (end === -1 ? value : value.slice(0, end)).trim();
  return absentValues.has(first) ? undefined : first;
}

const absentValues: ReadonlySet<string> = new Set(['', 'undefined', 'null', 'None']);

/** The protocol makes a client initialize again after a 404. */
export const sessionNotFound: HttpRefusal = {
  status: 404,
  code: mcpErrorCodes.sessionNotFound,
  message: 'Session not found',
};

export function invalidRequest(message: string): HttpRefusal {
  return { status: 400, code: rpcErrorCodes.invalidRequest, message };
}

/** Clients of older revisions fail on an event that carries only an id. */
export function supportsPriming(headers: IncomingHttpHeaders): boolean {
  const revision = headerOf(headers, 'mcp-protocol-version');
  return revision !== undefined && revision >= '2025-11-25';
}

const defaultAccept = 'application/json, text/event-stream';
const bothForms: AcceptedForms = { json: true, events: true };
const revisions: ReadonlySet<unknown> = new Set(protocolVersions);

function notAcceptable(types: string): HttpRefusal {
  return { status: 406, code: -32000, message: `The client must accept ${types}` };
}
