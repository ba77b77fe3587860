import { type HeldListsParams, heldListsMethod } from '../../shared/schema/bridge-hello.ts';
import type { WireMessage } from '../engine/rpc/read-message.ts';
import type { RememberedRequests } from './client-wishes.ts';
import { type ClientLists, digestsOf } from './held-lists.ts';
import { notification } from './messages.ts';

/** State of the client when a hub is attached. */
export interface AttachedClient {
  /** True for the first hub of this client. */
  readonly isFirst: boolean;
  /** True once notifications may be sent to the client. */
  readonly isInitialized: boolean;
}

/** Returns the messages that bring a newly attached hub up to date. */
export function messagesForHub(
  { isFirst, isInitialized }: AttachedClient,
  held: ClientLists,
  wished: RememberedRequests,
): readonly WireMessage[] {
  const params: HeldListsParams = { lists: digestsOf(held), announce: isFirst };
  return [
    ...(isInitialized ? [notification('notifications/initialized')] : []),
    ...(held.size > 0 ? [{ ...notification(heldListsMethod), params: { ...params } }] : []),
    ...wished.replay(),
  ];
}

/** Returns the messages for the client: a different hub may have other tools, resources and prompts. */
export function messagesForClient({ isFirst, isInitialized }: AttachedClient): readonly WireMessage[] {
  if (isFirst || !isInitialized) return [];
  return ['tools', 'resources', 'prompts'].map((kind) => notification(`notifications/${kind}/list_changed`));
}
