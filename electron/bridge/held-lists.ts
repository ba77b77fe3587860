import type { ListMethod } from '../../shared/schema/bridge-hello.ts';
import { digestOf } from '../engine/base/digest.ts';
import { listKeys } from '../engine/catalogue/list-answer.ts';
import type { RawMessage } from '../engine/rpc/raw-message.ts';

/** What the client holds, by list method: each list's digest, reckoned when a hub is to be told. */
export type HeldLists = Map<ListMethod, () => string | undefined>;

/** The digest of a list as its answer carries it; undefined if the answer holds no list. */
export function digestOfAnswer({ result }: RawMessage, method: ListMethod): string | undefined {
  // A result may be any value; only an object has the member.
  const items = (result as Readonly<Record<string, unknown>> | null)?.[listKeys[method]];
  return Array.isArray(items) ? digestOf(items) : undefined;
}

export function digestsOf(held: HeldLists): Readonly<Record<string, string>> {
  const known = [...held].flatMap(([method, digest]) => {
    const found = digest();
    return found === undefined ? [] : [[method, found] as const];
  });
  return Object.fromEntries(known);
}
