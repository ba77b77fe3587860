import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { isDeeperThan, isRecord, parseJson } from '../../../shared/json.ts';
import { type Clock, delay } from '../base/clock.ts';
import { memberSpans } from '../rpc/json-spans.ts';
import { ConnectionClosedError } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import { keepTexts } from './item-text.ts';
import { tooDeepItem } from './usable-offer.ts';

export interface PageRequest {
  readonly ask: (method: string, params?: Readonly<Record<string, unknown>>) => PendingRequest<RawMessage>;
  readonly method: string;
  /** The field of the result that holds the items. */
  readonly field: string;
  /** The member that an item is known by. */
  readonly key: string;
  readonly clock: Clock;
  /** Milliseconds to wait for one page. */
  readonly pageTimeout: number;
  /** Told of all items so far, the same growing list, after each page that has another one behind it. */
  readonly onPage?: (items: readonly unknown[]) => void;
}

/** All items of a paged list, in order. */
export interface Pages {
  readonly items: readonly unknown[];
  /** Why pages after these were not asked for. */
  readonly cut?: string;
  /** Why a later page could not be had. */
  readonly failure?: Error;
}

/**
 * Follows `nextCursor` to the end, guarding against a server that never ends. Rejects when the first page cannot be
 * had, and whenever the connection ends.
 */
export async function listPages(spec: PageRequest): Promise<Pages> {
  const items: unknown[] = [];
  const seen = new Set<Cursor>();
  const names = new Set<unknown>();
  let cursor: Cursor | undefined;
  let empty = 0;
  const end = spec.clock.uptime() + longestListing;
  for (let page = 0; page < maxPages && items.length < maxItems; page += 1) {
    if (spec.clock.uptime() >= end) return { items, cut: `it took over ${longestListing / 60_000} minutes` };
    const answer = await onePage(spec, cursor).catch((failure: Error) => failure);
    if (answer instanceof Error) {
      if (page === 0 || answer instanceof ConnectionClosedError) throw answer;
      return { items, failure: answer };
    }
    const before = names.size;
    for (const item of answer.items) names.add(isRecord(item) ? item[spec.key] : item);
    // Servers that take no cursor begin again with each page.
    if (page > 0 && answer.items.length > 0 && names.size === before)
      return { items, cut: 'a page brought nothing new' };
    for (const item of answer.items) items.push(isDeeperThan(item, maxDepth) ? tooDeepItem : item);
    const { next } = answer;
    if (next === undefined) return { items };
    if (seen.has(next)) return { items, cut: `it gave the cursor ${shortened(JSON.stringify(next))} twice` };
    empty = answer.items.length === 0 ? empty + 1 : 0;
    if (empty >= mostEmpty) return { items, cut: `${mostEmpty} pages in a row were empty` };
    seen.add(next);
    cursor = next;
    spec.onPage?.(items);
  }
  return { items, cut: 'it has too many pages' };
}

/** Text by the protocol; numbers are given back as the numbers they came as. */
type Cursor = string | number;

const maxPages = 1000;
/** Levels of nesting in an item; honest schemas have some dozens. */
const maxDepth = 500;
const maxItems = 100_000;
/** Pages in a row without an item: a server that leaves out what its user may not have has some. */
const mostEmpty = 20;

/** Milliseconds for all pages of a list. */
const longestListing = 120_000;

async function onePage(spec: PageRequest, cursor: Cursor | undefined): Promise<Page> {
  const pending = spec.ask(spec.method, cursor === undefined ? {} : { cursor });
  const answered = new AbortController();
  const late = delay(spec.clock, spec.pageTimeout, answered.signal).then(() => {
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
  const { result, bytes } = heldBy(spec, answer);
  if (Array.isArray(result)) return { items: result, next: undefined };
  // Serializers write null, nothing, or PHP's empty list where there is nothing to list.
  if (result === null || result === undefined) return { items: [], next: undefined };
  if (!isRecord(result)) throw invalidAnswer(spec);
  const next = nextOf(result.nextCursor);
  const listed = result[spec.field] ?? [];
  if (isRecord(listed)) return { items: namedItems(listed, spec.key), next };
  if (!Array.isArray(listed)) throw invalidAnswer(spec);
  if (bytes !== undefined && listed.length > 0) keepTexts(listed, bytes, spec.field);
  return { items: listed, next };
}

interface Holder {
  readonly result: unknown;
  readonly bytes: Buffer | undefined;
}

/** The result, or what holds the list in its place: the one member that does, as of services that wrap all they answer. */
function heldBy({ field, key }: PageRequest, { result, resultBytes: bytes }: RawMessage): Holder {
  if (typeof result === 'string') return { result: parseJson(result) ?? result, bytes: undefined };
  const isWrapped = isRecord(result) && (result[field] === undefined || isWrappedAgain(result[field], field));
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

/** An empty cursor is how serializers of typed languages write none. */
function nextOf(cursor: unknown): Cursor | undefined {
  const isCursor = typeof cursor === 'string' || typeof cursor === 'number';
  return isCursor && cursor !== '' ? cursor : undefined;
}

/** Items that came as members of an object, each under its name. */
function namedItems(items: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  return Object.entries(items).map(([name, item]) =>
    isRecord(item) && typeof item[key] !== 'string' ? { ...item, [key]: name } : item,
  );
}

function invalidAnswer({ method, field }: PageRequest): ProblemError {
  const sentence = `The answer to ${method} has no list "${field}".`;
  return new ProblemError(problem('server.list_failed', sentence, 'Update the server.', { method }));
}

function pageTimedOut({ method, pageTimeout }: PageRequest): ProblemError {
  const sentence = `${method} was not answered within ${pageTimeout / 1000} s.`;
  return new ProblemError(
    problem('server.list_failed', sentence, 'Restart the server, or look at its log.', { method }),
  );
}
