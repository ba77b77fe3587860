import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { heldListsSchema } from '../../../shared/schema/bridge-hello-schema.ts';
import { delay } from '../base/clock.ts';
import type { CatalogueView, ListKind, RawItem } from '../catalogue/contract.ts';
import { listKeys } from '../catalogue/list-answer.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import { createHeldLists } from './held-lists.ts';
import type { SessionSurroundings } from './session-contract.ts';

/** The lists of one session: what it was sent, and of which it is told that they are others now. */
export interface SessionLists {
  /** Of the list sent last. */
  readonly revision: number | undefined;
  /** See {@link HeldLists}. */
  readonly heldTools: readonly RawItem[] | undefined;
  holds(kind: ListKind): boolean;
  /** Resolves when servers that were never listed have been, or after a while; for one list, or for all. */
  ready(method?: ListMethod): Promise<void>;
  answer(method: ListMethod, view: CatalogueView): RawMessage;
  /** Its bridge tells what it holds; true where it is to be told what is out of date. */
  learn(params: unknown, view: CatalogueView | undefined): boolean;
  stale(view: CatalogueView | undefined): ReadonlySet<ListKind>;
  /** Of these changed kinds, those to tell it of: a client that holds no list of a kind may still wait for word of it. */
  toAnnounce(kinds: ReadonlySet<ListKind>, view: CatalogueView | undefined): ReadonlySet<ListKind>;
}

export function createSessionLists(
  surroundings: Pick<SessionSurroundings, 'views' | 'ready' | 'clock'>,
  ended: AbortSignal,
): SessionLists {
  const { views } = surroundings;
  const held = createHeldLists();
  const waits = new Map<ListMethod | undefined, Promise<void>>();
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
    ready(method) {
      const known = waits.get(method) ?? waitForLists(surroundings, ended, method);
      waits.set(method, known);
      return known;
    },
    answer(method, view) {
      const list = views.list(view, method);
      held.sent(method, list, view.revision);
      return list.answer;
    },
    learn(params, view) {
      const parsed = heldListsSchema.safeParse(params);
      if (!parsed.success) return false;
      for (const method of listMethods) {
        const digest = parsed.data.lists[method];
        if (digest === undefined) continue;
        const list = view === undefined ? undefined : views.list(view, method);
        // A bridge knows what it was told by value only.
        if (digest === list?.digestOfValue()) held.told(method, list.digest(), view?.revision);
        else held.told(method, digest);
      }
      return parsed.data.announce;
    },
    stale,
    toAnnounce(kinds, view) {
      const outdated = stale(view);
      return new Set([...kinds].filter((kind) => outdated.has(kind) || !held.holds(kind)));
    },
  };
}

/** Clients that ask for lists once and never again should get the full ones; but none should wait for a slow server. */
const listPatience = 5_000;

async function waitForLists(
  { ready, clock }: Pick<SessionSurroundings, 'ready' | 'clock'>,
  ended: AbortSignal,
  method: ListMethod | undefined,
): Promise<void> {
  if (ready === undefined) return;
  const patience = new AbortController();
  const stop = () => patience.abort();
  ended.addEventListener('abort', stop, { once: true });
  await Promise.race([ready(method && listKeys[method]), delay(clock, listPatience, patience.signal)]);
  ended.removeEventListener('abort', stop);
  patience.abort();
}
