import { type HeldListsParams, heldListsMethod } from '../../shared/schema/bridge-hello.ts';
import type { WireMessage } from '../engine/rpc/read-message.ts';
import type { ClientWishes } from './client-wishes.ts';
import { digestsOf, type HeldLists } from './held-lists.ts';
import { notice } from './messages.ts';

/** State of the client when a hub is attached. */
export interface Attached {
  /** True for the first hub of this client. */
  readonly isFirst: boolean;
  /** True once notifications may be sent to the client. */
  readonly isInitialized: boolean;
}

/** Returns the messages that bring a newly attached hub up to date. */
export function wordsForHub(
  { isFirst, isInitialized }: Attached,
  held: HeldLists,
  wished: ClientWishes,
): readonly WireMessage[] {
  const params: HeldListsParams = { lists: digestsOf(held), announce: isFirst };
  return [
    ...(isInitialized ? [notice('notifications/initialized')] : []),
    ...(held.size > 0 ? [{ ...notice(heldListsMethod), params: { ...params } }] : []),
    ...wished.again(),
  ];
}

/** Returns the messages for the client: a different hub may have other tools, resources and prompts. */
export function wordsForClient({ isFirst, isInitialized }: Attached): readonly WireMessage[] {
  if (isFirst || !isInitialized) return [];
  return ['tools', 'resources', 'prompts'].map((kind) => notice(`notifications/${kind}/list_changed`));
}
