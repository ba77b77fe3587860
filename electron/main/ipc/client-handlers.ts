import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `client-calls.ts`, in the same order. */
export function clientHandlers({ engine: { clientTruth } }: HandlerContext) {
  return {
    'client.detail': ({ id }) => clientTruth.detail(id),
    'client.weigh': ({ id }) => clientTruth.weigh(id),
    'client.notify': ({ id }) => clientTruth.notify(id),
    'client.known': async () => ({ clients: await clientTruth.known() }),
  } satisfies Partial<IpcHandlers>;
}
