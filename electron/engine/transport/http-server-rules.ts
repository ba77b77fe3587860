import type { IncomingHttpHeaders } from 'node:http';
import { protocolVersions } from '../../../shared/model/greeting.ts';
import { rpcErrorCodes } from '../rpc/message.ts';
import type { HttpRefusal } from './http-refusal.ts';

/** How a client is willing to be answered. */
export interface AcceptedForms {
  readonly json: boolean;
  readonly events: boolean;
}

/** By the protocol a client accepts both; one that accepts less is given what it can take. */
export function acceptedForms({ accept }: IncomingHttpHeaders): AcceptedForms {
  if (accept === usualAccept) return both;
  const all = accept?.includes('*/*') ?? false;
  const json = all || (accept?.includes('application/json') ?? false);
  return { json, events: all || (accept?.includes('text/event-stream') ?? false) };
}

/** What both kinds of POST must say. */
export function judgePost(headers: IncomingHttpHeaders, accepted: AcceptedForms): HttpRefusal | undefined {
  if (!accepted.json && !accepted.events) return notAcceptable('application/json or text/event-stream');
  if (!isJson(headers['content-type'])) return { status: 415, code: -32000, message: 'A body must be JSON' };
  return undefined;
}

export function judgeGet(accepted: AcceptedForms): HttpRefusal | undefined {
  return accepted.events ? undefined : notAcceptable('text/event-stream');
}

/** Whether a request belongs to this session, which has introduced itself. */
export function judgeMember(
  headers: IncomingHttpHeaders,
  sessionId: string | undefined,
): HttpRefusal | undefined {
  if (sessionId === undefined) return invalid('The client has not introduced itself');
  const named = headers['mcp-session-id'];
  if (named === undefined) return invalid('The Mcp-Session-Id header is missing');
  if (named !== sessionId) return sessionOver;
  const revision = headers['mcp-protocol-version'];
  if (revision === undefined || revisions.has(revision)) return undefined;
  return invalid(`Unsupported protocol version: ${revision} (supported: ${protocolVersions.join(', ')})`);
}

/** By the protocol, 404 is what makes a client introduce itself again. */
export const sessionOver: HttpRefusal = { status: 404, code: -32001, message: 'Session not found' };

export function invalid(message: string): HttpRefusal {
  return { status: 400, code: rpcErrorCodes.invalidRequest, message };
}

/** Clients of older revisions stumble over an event that says nothing but its id. */
export function understandsPriming(headers: IncomingHttpHeaders): boolean {
  const revision = headers['mcp-protocol-version'];
  return typeof revision === 'string' && revision >= '2025-11-25';
}

const usualAccept = 'application/json, text/event-stream';
const both: AcceptedForms = { json: true, events: true };
const revisions: ReadonlySet<unknown> = new Set(protocolVersions);

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || /^\s*application\/json\s*(;[^,]*)?$/i.test(type ?? '');
}

function notAcceptable(types: string): HttpRefusal {
  return { status: 406, code: -32000, message: `The client must accept ${types}` };
}
