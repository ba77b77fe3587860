import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `limit-calls.ts`, in the same order. */
export function limitHandlers({ engine: { limits }, changeSettings }: HandlerContext) {
  return {
    'limits.list': () => limits.list(),
    'limits.set': async ({ name, value }) => {
      await changeSettings({ limits: limits.chosenWith(name, value ?? undefined) });
      return limits.list();
    },
  } satisfies Partial<IpcHandlers>;
}
