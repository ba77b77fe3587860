import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { heldListsSchema } from '../../../shared/schema/bridge-hello-schema.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { CatalogueView, ListKind, RawItem } from '../catalogue/contract.ts';
import { listKeys } from '../catalogue/list-answer.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import { createHeldLists } from './held-lists.ts';
import type { SessionNotes, SessionPast, SessionSurroundings } from './session-contract.ts';

/** The lists of one session: what was sent, and which changes to announce. */
export interface SessionLists {
  /** Revision of the last list sent. */
  readonly revision: number | undefined;
  /** See {@link HeldLists}. */
  readonly heldTools: readonly RawItem[] | undefined;
  holds(kind: ListKind): boolean;
  /** Resolves when all servers have started or failed, or after some seconds; for one list or for all. */
  ready(method?: ListMethod): Promise<void>;
  /** Like `ready`, and also waits for servers that were never listed, as long as the client would wait. */
  whole(method?: ListMethod): Promise<void>;
  answer(method: ListMethod, view: CatalogueView): RawMessage;
  /** Restores the client's lists from an earlier hub's record. */
  recall(lists: SessionPast['lists']): void;
  /**
   * Handles the bridge's report of the client's lists. Returns true if the client is to be notified of
   * outdated ones.
   */
  learn(params: unknown, view: CatalogueView | undefined): boolean;
  stale(view: CatalogueView | undefined): ReadonlySet<ListKind>;
  /**
   * Returns the changed kinds to announce: outdated ones, and those the client has no list of, because it may
   * be waiting for one.
   */
  toAnnounce(kinds: ReadonlySet<ListKind>, view: CatalogueView | undefined): ReadonlySet<ListKind>;
}

export interface SessionListOptions {
  readonly surroundings: Pick<SessionSurroundings, 'views' | 'ready' | 'listed' | 'clock'>;
  /** Keys of the servers that are missing from the lists because they were never listed. */
  readonly awaited: () => readonly string[];
  /** Milliseconds from the start of the session within which the client must have its lists. */
  readonly patience: () => number;
  readonly notes?: Pick<SessionNotes, 'listed'> | undefined;
  readonly ended: AbortSignal;
}

export function createSessionLists(options: SessionListOptions): SessionLists {
  const { surroundings, awaited, patience, notes, ended } = options;
  const { views, clock, listed } = surroundings;
  const held = createHeldLists();
  const waits = new Map<ListMethod | undefined, Promise<void>>();
  const since = clock.uptime();
  let wasWhole = false;
  const left = () => Math.max(0, since + patience() - clock.uptime());

  function ready(method?: ListMethod): Promise<void> {
    const known = waits.get(method) ?? started(method);
    waits.set(method, known);
    return known;
  }

  async function started(method: ListMethod | undefined): Promise<void> {
    const wanted = surroundings.ready?.(method && listKeys[method]);
    await waitFor(wanted, Math.min(startPatience, patience()), clock, ended);
  }

  const stale = (view: CatalogueView | undefined) =>
    view === undefined ? new Set<ListKind>() : held.stale((method) => views.list(view, method).digest());
  return {
    get revision() {
      return held.revision;
    },
    get heldTools() {
      return held.tools;
    },
    holds: held.holds,
    ready,
    async whole(method) {
      await ready(method);
      if (awaited().length > 0 && left() > 0) await waitFor(listed?.(awaited), left(), clock, ended);
    },
    answer(method, view) {
      const list = views.list(view, method);
      held.sent(method, list, view.revision);
      notes?.listed(method, () => list.digest());
      return list.answer;
    },
    recall(lists) {
      for (const [method, digest] of lists) held.told(method, digest);
    },
    learn(params, view) {
      const parsed = heldListsSchema.safeParse(params);
      if (!parsed.success) return false;
      for (const method of listMethods) {
        const digest = parsed.data.lists[method];
        if (digest === undefined) continue;
        const list = view && views.list(view, method);
        // A bridge only knows the digest of the value.
        if (view !== undefined && digest === list?.digestOfValue()) held.sent(method, list, view.revision);
        else held.told(method, digest);
      }
      return parsed.data.announce;
    },
    stale,
    toAnnounce(kinds, view) {
      const outdated = stale(view);
      const isWholeNow = view?.isWhole === true && !wasWhole;
      wasWhole = view?.isWhole ?? wasWhole;
      const told = [...kinds].filter((kind) => outdated.has(kind) || !held.holds(kind));
      // The list no longer contains the status tool, whether or not any tools have arrived.
      return new Set(isWholeNow && outdated.has('tools') ? [...told, 'tools'] : told);
    },
  };
}

/** Milliseconds to wait for servers that were listed before; their last listing is also valid. */
const startPatience = 5_000;

async function waitFor(
  wanted: Promise<void> | undefined,
  milliseconds: number,
  clock: Clock,
  ended: AbortSignal,
): Promise<void> {
  if (wanted === undefined || ended.aborted) return;
  const patience = new AbortController();
  const stop = () => patience.abort();
  ended.addEventListener('abort', stop, { once: true });
  await Promise.race([wanted, delay(clock, milliseconds, patience.signal)]);
  ended.removeEventListener('abort', stop);
  patience.abort();
}
