import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `guard-calls.ts`, in the same order. */
export function guardHandlers({ engine: { guard } }: HandlerContext) {
  return {
    'guard.list': () => guard.list(),
    'guard.review': ({ serverKey, name, digest }) => guard.review(serverKey, name, digest),
    'guard.decide': async ({ serverKey, tools, decision }) => ({
      undoId: await guard.decide(serverKey, tools, decision),
    }),
    'guard.undo': ({ undoId }) => guard.undo(undoId),
  } satisfies Partial<IpcHandlers>;
}
