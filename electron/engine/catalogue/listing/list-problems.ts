import { type Problem, problem, toProblem } from '../../../../shared/error/problem.ts';
import { isRecord } from '../../../../shared/json.ts';
import { ConnectionClosedError, RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { Pages } from './list-pages.ts';
import type { ListSpec } from './list-specs.ts';

/** An unknown list method means an empty list, whatever was declared. */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof RpcError && error.code === rpcErrorCodes.methodNotFound;
}

/**
 * Tells whether a server without such a list says so in another way: by another code, or by an HTTP status
 * for what does not exist.
 */
export function isMissingList(error: unknown, { method, part }: ListSpec): boolean {
  if (!(error instanceof RpcError) || part === 'tools') return false;
  const { data } = error;
  const status = isRecord(data) ? data.status : undefined;
  if (typeof status === 'number') return missingStatuses.has(status);
  const words = error.message.slice(0, maxMessageLength).replace(method, 'method');
  return missingMethod.test(words);
}

/** Not found, method not allowed, not implemented. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 501]);
const missingMethod =
  /\b(?:unknown|unsupported|unrecogni[sz]ed|unimplemented|undefined|no such|invalid)(?: json-?rpc| mcp| request| rpc)? method\b|\bmethod\b.{0,60}\bnot (?:found|implemented|supported|available|recogni[sz]ed|known|exist)|\bno (?:handler|method)\b|^not (?:yet )?(?:implemented|supported)\W{0,3}$/i;

/**
 * Tells of a list that the server declares but does not have; undefined for templates, which it can only declare
 * together with resources. The server works, so it is not degraded.
 */
export function listMissing({ method, part, capability }: ListSpec, error: unknown): Problem | undefined {
  if (part === 'resourceTemplates') return undefined;
  const why = error instanceof RpcError ? asSentence(error.message) : '';
  return problem(
    'server.nonconforming',
    `The server declares ${capability}, but refuses ${method}: ${why}`,
    'You can ignore this while nothing is missing. Otherwise report it to the author of the server.',
    { method },
  );
}

export function problemOf(spec: ListSpec, pages: Pages | undefined, failure: unknown): Problem | undefined {
  if (failure !== undefined) return listFailed(spec, failure, pages !== undefined);
  return pages?.cutReason === undefined ? undefined : listCut(spec, pages.cutReason);
}

function listFailed({ method }: ListSpec, error: unknown, isLaterPage: boolean): Problem {
  const isAnswer = error instanceof RpcError;
  const isClosed = error instanceof ConnectionClosedError;
  const why = isAnswer || isClosed ? asSentence(error.message) : toProblem(error).sentence;
  const what = isLaterPage ? `a later page of ${method}` : method;
  const sentence = `${why} This is why ${what} failed; the other lists work.`;
  const evidence = {
    method,
    ...(isAnswer ? { code: error.code, message: error.message.slice(0, maxMessageLength) } : {}),
  };
  return problem('server.list_failed', sentence, "Check the server's log, or restart it.", evidence);
}

/** Makes a sentence of a server's message, which may be of any length. */
function asSentence(message: string): string {
  const text = message.slice(0, maxMessageLength).trim();
  return text.endsWith('.') ? text : `${text}.`;
}

const maxMessageLength = 500;

function listCut({ method }: ListSpec, why: string): Problem {
  const sentence = `${method} was cut off before the server had finished: ${why}. The items received so far are listed.`;
  return problem('server.list_cut', sentence, 'Report this to the author of the server.', { method });
}

export function listUnanswered({ method }: ListSpec): Problem {
  const sentence = `No answer to ${method} yet; the server is connected and its other lists work.`;
  const fix = 'Wait a moment. If nothing arrives, check the server’s log or restart the server.';
  return problem('server.list_failed', sentence, fix, { method });
}

/** Reports a list whose pages are still arriving. */
export function listInProgress({ method }: ListSpec, count: number): Problem {
  const sentence = `The server sends ${method} in many pages, or slowly: ${count} items so far, still reading.`;
  return problem('server.list_failed', sentence, 'Wait a moment; the items received so far are listed.', {
    method,
  });
}
