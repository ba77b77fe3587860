import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `secret-calls.ts`, in the same order. */
export function secretHandlers({ engine: { secrets } }: HandlerContext) {
  return {
    'secret.list': () => secrets.list(),
    'secret.set': ({ name, value, replace }) => secrets.set(name, value, replace),
    'secret.delete': ({ name, force }) => secrets.delete(name, force),
  } satisfies Partial<IpcHandlers>;
}
