import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { isDeeperThan, isRecord, parseJson } from '../../../../shared/json.ts';
import { type Clock, delay } from '../../base/clock.ts';
import { errorInResult } from '../../jsonrpc/error-result.ts';
import { memberSpans } from '../../jsonrpc/json/json-spans.ts';
import { ConnectionClosedError, RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { PendingRequest } from '../../jsonrpc/peer-contract.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { repairError } from '../../jsonrpc/repair-error.ts';
import { attachTexts } from '../item-text.ts';
import { tooDeepItem } from './validate-listing.ts';

export interface PageRequest {
  readonly ask: (method: string, params?: Readonly<Record<string, unknown>>) => PendingRequest<RawMessage>;
  readonly method: string;
  /** The result member that holds the items. */
  readonly field: string;
  /** The member that identifies an item. */
  readonly key: string;
  readonly clock: Clock;
  /** Timeout for one page in milliseconds. */
  readonly pageTimeoutMs: number;
  readonly firstParams: FirstParams;
  /** Called with all items so far, the same growing list, after each page except the last. */
  readonly onPage?: (items: readonly unknown[]) => void;
}

/** The params of first pages: empty ones, or none for servers that refuse those. */
export class FirstParams {
  readonly #tried = new Set<string>();
  #areOmitted = false;

  get value(): Readonly<Record<string, unknown>> | undefined {
    return this.#areOmitted ? undefined : {};
  }

  /** Tells, once for each method, whether a refusal may be about the empty params. */
  mayOmit(method: string, refusal: unknown): boolean {
    if (this.#areOmitted || this.#tried.has(method) || !(refusal instanceof RpcError)) return false;
    const isAboutParams =
      refusal.code === rpcErrorCodes.invalidParams ||
      refusal.message.slice(0, maxMessageLength).toLowerCase().includes('param');
    if (isAboutParams) this.#tried.add(method);
    return isAboutParams;
  }

  /** Remembers that a page came without them. */
  omit(): void {
    this.#areOmitted = true;
  }
}

const maxMessageLength = 500;

/** All items of a paginated list, in order. */
export interface Pages {
  readonly items: readonly unknown[];
  /** Reason for not requesting more pages. */
  readonly cutReason?: string;
  /** Error of a later page. */
  readonly failure?: Error;
}

/**
 * Follows `nextCursor` to the end, with limits for servers that never end. Rejects if the first page fails,
 * and whenever the connection ends.
 */
export async function listPages(spec: PageRequest): Promise<Pages> {
  const items: unknown[] = [];
  const seen = new Set<Cursor>();
  const names = new Set<unknown>();
  let cursor: Cursor | undefined;
  let empty = 0;
  const end = spec.clock.uptime() + maxListingMs;
  for (let page = 0; page < maxPages && items.length < maxItems; page += 1) {
    if (spec.clock.uptime() >= end)
      return { items, cutReason: `it took over ${maxListingMs / 60_000} minutes` };
    const asking = cursor === undefined ? firstPage(spec) : onePage(spec, { cursor });
    const answer = await asking.catch((failure: Error) => failure);
    if (answer instanceof Error) {
      if (page === 0 || answer instanceof ConnectionClosedError) throw answer;
      return { items, failure: answer };
    }
    const before = names.size;
    for (const item of answer.items) names.add(isRecord(item) ? item[spec.key] : item);
    // Servers that ignore the cursor send the first page again.
    if (page > 0 && answer.items.length > 0 && names.size === before)
      return { items, cutReason: 'a page contained nothing new' };
    for (const item of answer.items) items.push(isDeeperThan(item, maxDepth) ? tooDeepItem : item);
    const { next } = answer;
    if (next === undefined) return { items };
    if (seen.has(next))
      return { items, cutReason: `it gave the cursor ${shortened(JSON.stringify(next))} twice` };
    empty = answer.items.length === 0 ? empty + 1 : 0;
    if (empty >= maxEmptyPages) return { items, cutReason: `${maxEmptyPages} pages in a row were empty` };
    seen.add(next);
    cursor = next;
    spec.onPage?.(items);
  }
  return { items, cutReason: 'it has too many pages' };
}

/** A string by the protocol; numbers are sent back as numbers. */
type Cursor = string | number;

const maxPages = 1000;
/** Maximum nesting depth of an item; real schemas have a few dozen levels. */
const maxDepth = 500;
const maxItems = 100_000;
/** Maximum number of consecutive empty pages; a server that filters items by permission has some. */
const maxEmptyPages = 20;

/** Maximum time for all pages of a list, in milliseconds. */
const maxListingMs = 120_000;

async function firstPage(spec: PageRequest): Promise<Page> {
  const { firstParams, method } = spec;
  try {
    return await onePage(spec, firstParams.value);
  } catch (refusal) {
    if (!firstParams.mayOmit(method, refusal)) throw refusal;
    const page = await onePage(spec, undefined).catch((error: unknown) => {
      throw error instanceof ConnectionClosedError ? error : refusal;
    });
    firstParams.omit();
    return page;
  }
}

async function onePage(
  spec: PageRequest,
  params: Readonly<Record<string, unknown>> | undefined,
): Promise<Page> {
  const pending = spec.ask(spec.method, params);
  const answered = new AbortController();
  const late = delay(spec.clock, spec.pageTimeoutMs, answered.signal).then(() => {
    if (!answered.signal.aborted) pending.abandon(pageTimedOut(spec));
  });
  try {
    return pageOf(spec, await pending.result);
  } finally {
    answered.abort();
    await late;
  }
}

interface Page {
  readonly items: readonly unknown[];
  /** Undefined on the last page. */
  readonly next: Cursor | undefined;
}

function pageOf(spec: PageRequest, answer: RawMessage): Page {
  const { result, bytes } = unwrapResult(spec, answer);
  if (Array.isArray(result)) return { items: result, next: undefined };
  // Serializers write null, nothing, or PHP's empty array for an empty list.
  if (result === null || result === undefined) return { items: [], next: undefined };
  const refusal = refusalIn(result, spec.field);
  if (refusal !== undefined) throw refusal;
  if (!isRecord(result)) throw invalidResponse(spec);
  const next = nextCursorOf(result);
  const written = result[spec.field] ?? [];
  const listed = typeof written === 'string' ? parseJson(written) : written;
  if (isRecord(listed)) return { items: itemsIn(listed, spec.key), next };
  if (!Array.isArray(listed)) throw invalidResponse(spec);
  if (bytes !== undefined && listed.length > 0 && listed === written) attachTexts(listed, bytes, spec.field);
  const isPlain = listed.every((item) => typeof item !== 'string' && !Array.isArray(item));
  return { items: isPlain ? listed : listed.flat().map(itemFrom), next };
}

/** Returns the refusal that a server reports in place of a list; a text is one too. */
function refusalIn(result: unknown, field: string): RpcError | undefined {
  if (typeof result === 'string') return new RpcError(repairError(result));
  const hasList = isRecord(result) && (result[field] ?? undefined) !== undefined;
  const error = hasList ? undefined : errorInResult(result);
  return error && new RpcError(error);
}

interface UnwrappedResult {
  readonly result: unknown;
  readonly bytes: Buffer | undefined;
}

/**
 * Unwraps the result of services that wrap all their responses: returns the single member that contains the
 * list, if there is one.
 */
function unwrapResult(
  { field, key }: PageRequest,
  { result, resultBytes: bytes }: RawMessage,
): UnwrappedResult {
  if (typeof result === 'string') return { result: parseJson(result) ?? result, bytes: undefined };
  const isWrapped =
    isRecord(result) && ((result[field] ?? undefined) === undefined || isWrappedAgain(result[field], field));
  if (!isWrapped) return { result, bytes };
  const holds = (value: unknown) => (isRecord(value) && value[field] !== undefined) || isListOf(value, key);
  const [holder, ...others] = Object.keys(result).filter((name) => holds(result[name]));
  if (holder === undefined || others.length > 0) return { result, bytes };
  const [span] = bytes === undefined ? [] : memberSpans(bytes, holder);
  return { result: result[holder], bytes: span && bytes?.subarray(span.start, span.end) };
}

function isWrappedAgain(list: unknown, field: string): boolean {
  return isRecord(list) && Array.isArray(list[field]);
}

function isListOf(value: unknown, key: string): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isRecord(item) && key in item);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/**
 * Finds the cursor, also under the names that other protocols have for it. An empty one is none, as
 * serializers of typed languages write it.
 */
function nextCursorOf(result: Readonly<Record<string, unknown>>): Cursor | undefined {
  const { pagination } = result;
  const holders = isRecord(pagination) ? [result, pagination] : [result];
  const cursor = holders
    .flatMap((holder) => cursorNames.map((name) => holder[name]))
    .find((value) => value !== undefined && value !== null);
  const isCursor = typeof cursor === 'string' || typeof cursor === 'number';
  return isCursor && cursor !== '' ? cursor : undefined;
}

const cursorNames = ['nextCursor', 'next_cursor', 'nextPageToken', 'next_page_token', 'cursor'];

/** Reads an item that is written as JSON text. */
function itemFrom(item: unknown): unknown {
  const read = typeof item === 'string' ? parseJson(item) : undefined;
  return isRecord(read) ? read : item;
}

/** Finds the items in an object: its only list of them, or its members. */
function itemsIn(holder: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  const [list, ...others] = Object.values(holder).filter((member) => isListOf(member, key));
  return Array.isArray(list) && others.length === 0 ? list : namedItems(holder, key);
}

/** Converts items given as members of an object; the member name becomes the key. */
function namedItems(items: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  return Object.entries(items).map(([name, item]) =>
    isRecord(item) && typeof item[key] !== 'string' ? { ...item, [key]: name } : item,
  );
}

function invalidResponse({ method, field }: PageRequest): ProblemError {
  const sentence = `The answer to ${method} has no list "${field}".`;
  return new ProblemError(problem('server.list_failed', sentence, 'Update the server.', { method }));
}

function pageTimedOut({ method, pageTimeoutMs }: PageRequest): ProblemError {
  const sentence = `${method} was not answered within ${pageTimeoutMs / 1000} s.`;
  return new ProblemError(
    problem('server.list_failed', sentence, 'Restart the server, or check its log.', { method }),
  );
}
