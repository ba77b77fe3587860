import { type ListMethod, listKeys, listMethods } from '../../../../../shared/model/mcp.ts';
import { heldListsSchema } from '../../../../../shared/schema/bridge-hello-schema.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import { digestOf } from '../../../base/digest.ts';
import type { CatalogueView, ListKind, RawItem } from '../../../catalogue/contract.ts';
import type { PreparedList } from '../../../catalogue/view/prepared-list.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import type { RecordedSession, SessionRecorder, SessionServices } from '../session-contract.ts';

/** The lists of one session: what was sent, and which changes to announce. */
export interface SessionLists {
  /** Revision of the last list sent. */
  readonly revision: number | undefined;
  /** See {@link ClientLists}. */
  readonly clientTools: readonly RawItem[] | undefined;
  hasList(kind: ListKind): boolean;
  /** Resolves when all servers have started or failed, or after some seconds; for one list or for all. */
  ready(method?: ListMethod): Promise<void>;
  /** Like `ready`, and also waits for servers that were never listed, as long as the client would wait. */
  complete(method?: ListMethod): Promise<void>;
  answer(method: ListMethod, view: CatalogueView): RawMessage;
  /** Restores the client's lists from an earlier hub's record. */
  restore(lists: RecordedSession['lists']): void;
  /**
   * Handles the bridge's report of the client's lists. Returns true if the client is to be notified of
   * outdated ones.
   */
  onClientLists(params: unknown, view: CatalogueView | undefined): boolean;
  outdated(view: CatalogueView | undefined): ReadonlySet<ListKind>;
  /**
   * Returns the changed kinds to announce: outdated ones, and those the client has no list of, because it may
   * be waiting for one.
   */
  toAnnounce(kinds: ReadonlySet<ListKind>, view: CatalogueView | undefined): ReadonlySet<ListKind>;
}

export interface SessionListOptions {
  readonly services: Pick<SessionServices, 'views' | 'ready' | 'listed' | 'clock'>;
  /** Keys of the servers that are missing from the lists because they were never listed. */
  readonly awaited: () => readonly string[];
  /** Milliseconds from the start of the session within which the client must have its lists. */
  readonly timeoutMs: () => number;
  readonly recorder?: Pick<SessionRecorder, 'recordList'> | undefined;
  readonly ended: AbortSignal;
}

export function createSessionLists(options: SessionListOptions): SessionLists {
  const { services, awaited, timeoutMs, recorder, ended } = options;
  const { views, clock, listed } = services;
  const clientLists = createClientLists();
  const waits = new Map<ListMethod | undefined, Promise<void>>();
  const since = clock.uptime();
  let wasComplete = false;
  const leftMs = () => Math.max(0, since + timeoutMs() - clock.uptime());

  function ready(method?: ListMethod): Promise<void> {
    const known = waits.get(method) ?? started(method);
    waits.set(method, known);
    return known;
  }

  async function started(method: ListMethod | undefined): Promise<void> {
    const wanted = services.ready?.(method && listKeys[method]);
    await waitAtMost(wanted, Math.min(startTimeoutMs, timeoutMs()), clock, ended);
  }

  const stale = (view: CatalogueView | undefined) =>
    view === undefined
      ? new Set<ListKind>()
      : clientLists.outdated((method) => views.list(view, method).digest());
  return {
    get revision() {
      return clientLists.revision;
    },
    get clientTools() {
      return clientLists.tools;
    },
    hasList: clientLists.hasList,
    ready,
    async complete(method) {
      await ready(method);
      if (awaited().length > 0 && leftMs() > 0) await waitAtMost(listed?.(awaited), leftMs(), clock, ended);
    },
    answer(method, view) {
      const list = views.list(view, method);
      clientLists.onSent(method, list, view.revision);
      recorder?.recordList(method, () => list.digest());
      return list.response;
    },
    restore(lists) {
      for (const [method, digest] of lists) clientLists.setReported(method, digest);
    },
    onClientLists(params, view) {
      const parsed = heldListsSchema.safeParse(params);
      if (!parsed.success) return false;
      for (const method of listMethods) {
        const digest = parsed.data.lists[method];
        if (digest === undefined) continue;
        const list = view && views.list(view, method);
        // A bridge only knows the digest of the value.
        if (view !== undefined && digest === list?.digestOfValue())
          clientLists.onSent(method, list, view.revision);
        else clientLists.setReported(method, digest);
      }
      return parsed.data.announce;
    },
    outdated: stale,
    toAnnounce(kinds, view) {
      const outdatedKinds = stale(view);
      const isCompleteNow = view?.isComplete === true && !wasComplete;
      wasComplete = view?.isComplete ?? wasComplete;
      const announced = [...kinds].filter((kind) => outdatedKinds.has(kind) || !clientLists.hasList(kind));
      // The list no longer contains the status tool, whether or not any tools have arrived.
      return new Set(isCompleteNow && outdatedKinds.has('tools') ? [...announced, 'tools'] : announced);
    },
  };
}

/** Milliseconds to wait for servers that were listed before; their last listing is also valid. */
const startTimeoutMs = 5_000;

async function waitAtMost(
  wanted: Promise<void> | undefined,
  milliseconds: number,
  clock: Clock,
  ended: AbortSignal,
): Promise<void> {
  if (wanted === undefined || ended.aborted) return;
  const timer = new AbortController();
  const stop = () => timer.abort();
  ended.addEventListener('abort', stop, { once: true });
  await Promise.race([wanted, delay(clock, milliseconds, timer.signal)]);
  ended.removeEventListener('abort', stop);
  timer.abort();
}

/** The lists that a client has, so that it is notified only when one of them is outdated. */
export interface ClientLists {
  readonly revision: number | undefined;
  /**
   * The tools in the client's list; undefined if that list is no longer known. Most are shared with the
   * current list.
   */
  readonly tools: readonly RawItem[] | undefined;
  /** Records a list that was just sent; its digest is computed when first compared. */
  onSent(method: ListMethod, list: Pick<PreparedList, 'digest' | 'items'>, revision: number): void;
  /**
   * Records a list that the client got from its bridge or an earlier hub, and that differs from the current
   * one.
   */
  setReported(method: ListMethod, digest: string): void;
  /** Returns the kinds for which the client's list is outdated. */
  outdated(currentDigest: (method: ListMethod) => string): ReadonlySet<ListKind>;
  hasList(kind: ListKind): boolean;
}

export function createClientLists(): ClientLists {
  const lists = new Map<ListMethod, () => string>();
  let revision: number | undefined;
  let tools: readonly RawItem[] | undefined;

  /** Releases the list, which nothing else may reference any more, and stores only its digest. */
  function resolveDigest(method: ListMethod, digest: string): string {
    lists.set(method, () => digest);
    return digest;
  }

  return {
    get revision() {
      return revision;
    },
    get tools() {
      return tools;
    },
    onSent(method, { digest, items }, listRevision) {
      lists.set(method, digest);
      revision = listRevision;
      if (method === 'tools/list') tools = items;
    },
    setReported(method, digest) {
      if (method === 'tools/list') {
        // A bridge also reports the list that it got from here, perhaps after that list has changed.
        if (tools !== undefined && digestOf(tools) === digest) return;
        tools = undefined;
      }
      lists.set(method, () => digest);
    },
    outdated(digestNow) {
      const changed = [...lists].filter(
        ([method, digest]) => resolveDigest(method, digest()) !== digestNow(method),
      );
      return new Set(changed.map(([method]) => kindOf(method)));
    },
    hasList: (kind) => listMethods.some((method) => kindOf(method) === kind && lists.has(method)),
  };
}

/**
 * Templates are announced together with resources, because the protocol has no separate notification for
 * them.
 */
function kindOf(method: ListMethod): ListKind {
  switch (method) {
    case 'tools/list':
      return 'tools';
    case 'resources/list':
    case 'resources/templates/list':
      return 'resources';
    case 'prompts/list':
      return 'prompts';
  }
}
