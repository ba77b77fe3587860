import type { Problem } from '../../shared/error/problem.ts';
import type { PatchbayBridge } from '../../shared/ipc/contract.ts';
import type { HubLink } from '../store/model.ts';

declare global {
  interface Window {
    /** Set by the preload script; absent if it did not run. */
    readonly patchbay?: PatchbayBridge;
  }
}

/**
 * Creates the link over a bridge. A call that rejects means that the main process is gone and is reported to
 * `onLost`.
 */
export function connectBridge(
  bridge: PatchbayBridge | undefined,
  onLost: (problem: Problem) => void,
): HubLink {
  return {
    async call(name, input) {
      if (bridge === undefined)
        return lost('This window was opened without a connection to Patchbay.', onLost);
      try {
        return await bridge.call(name, input);
      } catch (thrown) {
        return lost(thrown instanceof Error ? thrown.message : String(thrown), onLost);
      }
    },
    on: (name, listener) => bridge?.on(name, listener) ?? (() => {}),
  };
}

function lost(reason: string, onLost: (problem: Problem) => void): { ok: false; problem: Problem } {
  const problem: Problem = {
    code: 'hub.unreachable',
    sentence: 'The window has lost its connection to Patchbay.',
    fix: 'Try again. If that does not help, quit Patchbay from the tray and open it again.',
    evidence: [{ label: 'reason', value: reason }],
  };
  onLost(problem);
  return { ok: false, problem };
}

/** Returns the path of a dropped file; empty if it is not on disk. */
export function pathOfFile(file: File): string {
  return window.patchbay?.pathOf(file) ?? '';
}
