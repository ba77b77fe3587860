import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { RawItem } from './contract.ts';

export interface PageRequest {
  readonly request: (method: string, params?: Readonly<Record<string, unknown>>) => PendingRequest;
  readonly method: string;
  /** The field of the result that holds the items. */
  readonly field: string;
  readonly clock: Clock;
  /** Milliseconds to wait for one page. */
  readonly pageTimeout: number;
}

/** All items of a paged list. `cut` tells why it may be incomplete, if it may. */
export interface Pages {
  readonly items: readonly RawItem[];
  readonly cut?: string;
}

/** Follows `nextCursor` to the end, guarding against a server that never ends. Rejects when a page cannot be had. */
export async function listPages(spec: PageRequest): Promise<Pages> {
  const items: RawItem[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const result = await onePage(spec, cursor);
    for (const item of itemsOf(spec, result)) items.push(item);
    const next = result.nextCursor;
    if (typeof next !== 'string') return { items };
    if (seen.has(next)) return { items, cut: `it gave the cursor ${JSON.stringify(next)} twice` };
    seen.add(next);
    cursor = next;
  }
  return { items, cut: `it has more than ${maxPages} pages` };
}

const maxPages = 1000;

async function onePage(spec: PageRequest, cursor: string | undefined): Promise<Record<string, unknown>> {
  const pending = spec.request(spec.method, cursor === undefined ? {} : { cursor });
  const answered = new AbortController();
  const late = delay(spec.clock, spec.pageTimeout, answered.signal).then(() => {
    if (!answered.signal.aborted) pending.abandon(pageTimedOut(spec));
  });
  try {
    const result = await pending.result;
    if (isRecord(result)) return result;
    throw invalidAnswer(spec);
  } finally {
    answered.abort();
    await late;
  }
}

function itemsOf(spec: PageRequest, result: Record<string, unknown>): readonly RawItem[] {
  const items = result[spec.field];
  if (Array.isArray(items)) return items;
  throw invalidAnswer(spec);
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
