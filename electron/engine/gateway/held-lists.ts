import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { digestOf } from '../base/digest.ts';
import type { ListKind, RawItem } from '../catalogue/contract.ts';
import type { PreparedList } from '../catalogue/prepared-list.ts';

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
