import type { IncomingHttpHeaders } from 'node:http';
import { protocolVersions } from '../../../shared/model/greeting.ts';
import { rpcErrorCodes } from '../rpc/message.ts';
import type { HttpRefusal } from './http-refusal.ts';

/** How a client is willing to be answered. */
export interface AcceptedForms {
  readonly json: boolean;
  readonly events: boolean;
}

/**
 * By the protocol a client accepts both; one that accepts less is given what it can take. Whoever names no event stream
 * need not be able to read one: no Accept header, an empty one and ranges such as `*\/*` mean JSON.
 */
export function acceptedForms({ accept = '' }: IncomingHttpHeaders): AcceptedForms {
  if (accept === usualAccept) return both;
  const ranges = readRanges(accept);
  if (ranges.size === 0) return { json: true, events: false };
  const json = accepts(ranges, 'application/json');
  const events = accepts(ranges, 'text/event-stream');
  return { json, events: events && (!json || ranges.has('text/event-stream')) };
}

/** Whether each of them is wanted, by what they are called in small letters; `q=0` means not. */
function readRanges(accept: string): ReadonlyMap<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const part of accept.toLowerCase().split(',')) {
    const [types = '', ...parameters] = part.split(';');
    const isRefused = parameters.some((parameter) => refusal.test(parameter));
    // Hand-written clients part them with spaces.
    for (const type of types.split(/\s/)) if (type !== '') ranges.set(type, !isRefused);
  }
  return ranges;
}

const refusal = /^\s*q\s*=\s*"?0(?:\.0{0,15})?"?\s*$/;

/** The closest range counts. */
function accepts(ranges: ReadonlyMap<string, boolean>, type: string): boolean {
  const group = type.replace(/\/.*/, '/*');
  return ranges.get(type) ?? ranges.get(group) ?? ranges.get('*/*') ?? ranges.get('*') ?? false;
}

export function judgePost(accepted: AcceptedForms): HttpRefusal | undefined {
  return accepted.json || accepted.events
    ? undefined
    : notAcceptable('application/json or text/event-stream');
}

/** A client that asks for the session's own stream can read one, if it does not say otherwise. */
export function judgeGet({ accept = '' }: IncomingHttpHeaders): HttpRefusal | undefined {
  const ranges = readRanges(accept);
  const isAccepted = ranges.size === 0 || accepts(ranges, 'text/event-stream');
  return isAccepted ? undefined : notAcceptable('text/event-stream');
}

/** Whether a request belongs to this session, which has introduced itself. */
export function judgeMember(
  headers: IncomingHttpHeaders,
  sessionId: string | undefined,
): HttpRefusal | undefined {
  if (sessionId === undefined) return invalid('The client has not introduced itself');
  const named = headerOf(headers, 'mcp-session-id');
  if (named === undefined) return invalid('The Mcp-Session-Id header is missing');
  if (named !== sessionId) return sessionOver;
  const revision = headerOf(headers, 'mcp-protocol-version');
  if (revision === undefined || revisions.has(revision)) return undefined;
  return invalid(`Unsupported protocol version: ${revision} (supported: ${protocolVersions.join(', ')})`);
}

/** One value of a header that names one thing, also where it was sent twice; undefined for an empty one. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const values = headers[name];
  const value = typeof values === 'string' ? values : values?.[0];
  if (value === undefined || value === '') return undefined;
  const end = value.indexOf(',');
  const first = (end === -1 ? value : value.slice(0, end)).trim();
  return first === '' ? undefined : first;
}

/** By the protocol, 404 is what makes a client introduce itself again. */
export const sessionOver: HttpRefusal = { status: 404, code: -32001, message: 'Session not found' };

export function invalid(message: string): HttpRefusal {
  return { status: 400, code: rpcErrorCodes.invalidRequest, message };
}

/** Clients of older revisions stumble over an event that says nothing but its id. */
export function understandsPriming(headers: IncomingHttpHeaders): boolean {
  const revision = headerOf(headers, 'mcp-protocol-version');
  return revision !== undefined && revision >= '2025-11-25';
}

const usualAccept = 'application/json, text/event-stream';
const both: AcceptedForms = { json: true, events: true };
const revisions: ReadonlySet<unknown> = new Set(protocolVersions);

function notAcceptable(types: string): HttpRefusal {
  return { status: 406, code: -32000, message: `The client must accept ${types}` };
}
