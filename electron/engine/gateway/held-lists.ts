import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { digestOf } from '../base/digest.ts';
import type { ListKind, RawItem } from '../catalogue/contract.ts';
import type { PreparedList } from '../catalogue/prepared-list.ts';

/** The lists that a client has, so that it is notified only when one of them is outdated. */
export interface HeldLists {
  readonly revision: number | undefined;
  /**
   * The tools in the client's list; undefined if that list is no longer known. Most are shared with the
   * current list.
   */
  readonly tools: readonly RawItem[] | undefined;
  /** Records a list that was just sent; its digest is computed when first compared. */
  sent(method: ListMethod, list: Pick<PreparedList, 'digest' | 'items'>, revision: number): void;
  /**
   * Records a list that the client got from its bridge or an earlier hub, and that differs from the current
   * one.
   */
  told(method: ListMethod, digest: string): void;
  /** Returns the kinds for which the client's list is outdated. */
  stale(digestNow: (method: ListMethod) => string): ReadonlySet<ListKind>;
  holds(kind: ListKind): boolean;
}

export function createHeldLists(): HeldLists {
  const held = new Map<ListMethod, () => string>();
  let revision: number | undefined;
  let tools: readonly RawItem[] | undefined;

  /** Releases the list, which nothing else may reference any more, and stores only its digest. */
  function known(method: ListMethod, digest: string): string {
    held.set(method, () => digest);
    return digest;
  }

  return {
    get revision() {
      return revision;
    },
    get tools() {
      return tools;
    },
    sent(method, { digest, items }, listRevision) {
      held.set(method, digest);
      revision = listRevision;
      if (method === 'tools/list') tools = items;
    },
    told(method, digest) {
      if (method === 'tools/list') {
        // A bridge also reports the list that it got from here, perhaps after that list has changed.
        if (tools !== undefined && digestOf(tools) === digest) return;
        tools = undefined;
      }
      held.set(method, () => digest);
    },
    stale(digestNow) {
      const changed = [...held].filter(([method, digest]) => known(method, digest()) !== digestNow(method));
      return new Set(changed.map(([method]) => kindOf(method)));
    },
    holds: (kind) => listMethods.some((method) => kindOf(method) === kind && held.has(method)),
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
