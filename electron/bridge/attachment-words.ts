import { type HeldListsParams, heldListsMethod } from '../../shared/schema/bridge-hello.ts';
import type { WireMessage } from '../engine/rpc/read-message.ts';
import type { ClientWishes } from './client-wishes.ts';
import { digestsOf, type HeldLists } from './held-lists.ts';
import { notice } from './messages.ts';

/** What is known of the client when a hub is there. */
export interface Attached {
  /** It is the first hub this client has. */
  readonly isFirst: boolean;
  /** Notices may be sent to the client. */
  readonly isInitialized: boolean;
}

/** What a hub that has just been attached is told of the client. */
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

/** What the client is told: another hub than before may offer something else. */
export function wordsForClient({ isFirst, isInitialized }: Attached): readonly WireMessage[] {
  if (isFirst || !isInitialized) return [];
  return ['tools', 'resources', 'prompts'].map((kind) => notice(`notifications/${kind}/list_changed`));
}
