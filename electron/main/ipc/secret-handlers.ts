import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** The rows of `secret-calls.ts`, in their order. */
export function secretHandlers({ engine: { secrets } }: HandlerContext) {
  return {
    'secret.list': () => secrets.list(),
    'secret.set': ({ name, value, replace }) => secrets.set(name, value, replace),
    'secret.delete': ({ name, force }) => secrets.delete(name, force),
  } satisfies Partial<IpcHandlers>;
}
