import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { isRecord } from '../../../shared/json.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { RawItem } from './contract.ts';
import { keepTexts } from './item-text.ts';

export interface PageRequest {
  readonly ask: (method: string, params?: Readonly<Record<string, unknown>>) => PendingRequest<RawMessage>;
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
    const { items: more, next } = pageOf(spec, await onePage(spec, cursor));
    for (const item of more) items.push(item);
    if (typeof next !== 'string') return { items };
    if (seen.has(next)) return { items, cut: `it gave the cursor ${JSON.stringify(next)} twice` };
    seen.add(next);
    cursor = next;
  }
  return { items, cut: `it has more than ${maxPages} pages` };
}

const maxPages = 1000;

async function onePage(spec: PageRequest, cursor: string | undefined): Promise<RawMessage> {
  const pending = spec.ask(spec.method, cursor === undefined ? {} : { cursor });
  const answered = new AbortController();
  const late = delay(spec.clock, spec.pageTimeout, answered.signal).then(() => {
    if (!answered.signal.aborted) pending.abandon(pageTimedOut(spec));
  });
  try {
    return await pending.result;
  } finally {
    answered.abort();
    await late;
  }
}

interface Page {
  readonly items: readonly RawItem[];
  readonly next: unknown;
}

function pageOf(spec: PageRequest, { result, resultBytes }: RawMessage): Page {
  if (!isRecord(result)) throw invalidAnswer(spec);
  const items = result[spec.field];
  if (!Array.isArray(items)) throw invalidAnswer(spec);
  if (resultBytes !== undefined) keepTexts(items, resultBytes, spec.field);
  return { items, next: result.nextCursor };
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
