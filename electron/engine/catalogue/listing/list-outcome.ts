import { backoffDelay } from '../../base/backoff.ts';
import { ConnectionClosedError, RpcError } from '../../jsonrpc/message.ts';
import type { RawItem, ServerListing } from '../contract.ts';
import type { Pages } from './list-pages.ts';
import {
  isMissingList,
  isUnknownMethod,
  listInProgress,
  listMissing,
  listUnanswered,
  problemOf,
} from './list-problems.ts';
import type { ListState } from './list-state.ts';

/** Outcome of one request for a list; `previous` below is the last listing of an earlier connection. */
export interface Outcome {
  readonly pages?: Pages;
  readonly error?: unknown;
}

/**
 * Records the outcome. Items that were known are kept if fewer came; a list that does not exist is empty. Returns
 * the milliseconds after which to ask again, if it failed. An undeclared list is asked for once, unless it was not
 * answered by a server that is slow.
 */
export function takeOutcome(
  list: ListState,
  { pages, error }: Outcome,
  previous: ServerListing | undefined,
  isSlow = false,
): number | undefined {
  const { spec, declared } = list;
  list.closeError = error instanceof ConnectionClosedError ? error : undefined;
  list.wasAnswered ||= pages !== undefined || error instanceof RpcError;
  list.receivedItems = undefined;
  list.partialItems = undefined;
  // Items are validated later, together with the listing.
  if (pages !== undefined) {
    const before = knownItems(list, previous);
    const keepsPrevious = pages.failure !== undefined && before.length > pages.items.length;
    list.items = keepsPrevious ? before : (pages.items as readonly RawItem[]);
  }
  // Items that were listed before prove that there is such a list.
  const isMissing =
    isUnknownMethod(error) || (knownItems(list, previous).length === 0 && isMissingList(error, spec));
  if (isMissing) list.items = [];
  const failure = pages === undefined ? (isMissing ? undefined : error) : pages.failure;
  const isUndeclared = declared !== true && list.items === undefined;
  if (isMissing) list.problem = declared === true ? listMissing(spec, error) : undefined;
  else list.problem = isUndeclared ? undefined : problemOf(spec, pages, failure);
  list.failures = failure === undefined || isUndeclared ? 0 : list.failures + 1;
  const isSilent = !list.wasAnswered && list.closeError === undefined;
  if (isUndeclared && isSilent && isSlow && list.silences < maxSilences) {
    list.silences += 1;
    return backoffDelay(retries, list.silences - 1);
  }
  return list.failures === 0 ? undefined : retryDelayMs(list.failures, failure);
}

/**
 * A refused list is asked for again soon, because the server, or a proxy in front of it, may still be getting
 * ready. Refusals by an HTTP status are errors of a connection that goes on.
 */
function retryDelayMs(failures: number, failure: unknown): number {
  const isRefusal = failure instanceof RpcError || failure instanceof ConnectionClosedError;
  const soon = isRefusal ? earlyRetriesMs[failures - 1] : undefined;
  const slow = isRefusal ? failures - earlyRetriesMs.length : failures - 1;
  return soon ?? backoffDelay(retries, Math.max(0, slow));
}

/** Says that a list is still being read, and shows what has come so far; returns false if there is nothing new. */
export function noteProgress(list: ListState, previous: ServerListing | undefined): boolean {
  const { spec, receivedItems = [], declared } = list;
  const isNew = receivedItems.length > 0 || (declared === true && list.problem === undefined);
  if (isNew)
    list.problem =
      receivedItems.length > 0 ? listInProgress(spec, receivedItems.length) : listUnanswered(spec);
  keepReceived(list, previous);
  return isNew;
}

/** Shows what has come so far, if that is more than was known. */
export function keepReceived(list: ListState, previous: ServerListing | undefined): void {
  const { receivedItems = [] } = list;
  if (receivedItems.length > knownItems(list, previous).length)
    list.partialItems = [...receivedItems] as readonly RawItem[];
}

function knownItems({ spec, items }: ListState, previous: ServerListing | undefined): readonly RawItem[] {
  return items ?? previous?.[spec.part] ?? [];
}

/** How often an undeclared list is asked for again. */
const maxSilences = 3;

/** Retry delays in milliseconds after the first refusals. */
const earlyRetriesMs = [1_000, 3_000, 10_000, 30_000] as const;

const retries = { initial: 30_000, max: 300_000, factor: 2, jitter: 0.2 } as const;
