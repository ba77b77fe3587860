import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { digestOf } from '../base/digest.ts';
import type { ListKind, RawItem } from '../catalogue/contract.ts';
import type { PreparedList } from '../catalogue/prepared-list.ts';

/** Which lists a client holds, so that it is told of a change only when what it holds is wrong. */
export interface HeldLists {
  readonly revision: number | undefined;
  /** The tools of the list it holds; undefined where nobody knows that list any more. Most of them are those of today. */
  readonly tools: readonly RawItem[] | undefined;
  /** The client has just been sent this list; its digest is asked for when it is first compared. */
  sent(method: ListMethod, list: Pick<PreparedList, 'digest' | 'items'>, revision: number): void;
  /** The client was told this list elsewhere, by its bridge or by a hub before this one, and it is not the one of today. */
  told(method: ListMethod, digest: string): void;
  /** Kinds of which the client holds a list that differs from what it would be sent now. */
  stale(digestNow: (method: ListMethod) => string): ReadonlySet<ListKind>;
  holds(kind: ListKind): boolean;
}

export function createHeldLists(): HeldLists {
  const held = new Map<ListMethod, () => string>();
  let revision: number | undefined;
  let tools: readonly RawItem[] | undefined;

  /** Lets go of the list itself, which may be one that nobody else keeps any more. */
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
        // A bridge also tells of the list that it was given, perhaps after that list has changed.
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

/** Templates are announced together with resources; the protocol has no notice of their own. */
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
