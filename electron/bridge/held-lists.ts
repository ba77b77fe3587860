import type { ListMethod } from '../../shared/schema/bridge-hello.ts';
import { digestOf } from '../engine/base/digest.ts';
import { listKeys } from '../engine/catalogue/list-answer.ts';
import type { RawMessage } from '../engine/rpc/raw-message.ts';

/** Lists that the client has, by method, as digests that are computed only when a hub needs them. */
export type ClientLists = Map<ListMethod, () => string | undefined>;

/** Returns the digest of the list in an answer; undefined if it contains no list. */
export function digestOfAnswer({ result }: RawMessage, method: ListMethod): string | undefined {
  // A result may be any value; only an object has the member.
  const items = (result as Readonly<Record<string, unknown>> | null)?.[listKeys[method]];
  return Array.isArray(items) ? digestOf(items) : undefined;
}

export function digestsOf(held: ClientLists): Readonly<Record<string, string>> {
  const known = [...held].flatMap(([method, digest]) => {
    const found = digest();
    return found === undefined ? [] : [[method, found] as const];
  });
  return Object.fromEntries(known);
}
