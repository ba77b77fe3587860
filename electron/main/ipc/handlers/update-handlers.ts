import type { ShellHandlers } from '../dispatcher.ts';
import type { HandlerContext } from '../handler-context.ts';

/** Handles the calls of `update-calls.ts`, in the same order. */
export function updateHandlers({ updates }: HandlerContext) {
  return {
    'update.get': () => updates().view,
    'update.check': () => updates().check(),
    'update.download': () => updates().download(),
    'update.cancelDownload': () => updates().cancelDownload(),
    'update.install': ({ how }) => updates().install(how),
  } satisfies Partial<ShellHandlers>;
}
