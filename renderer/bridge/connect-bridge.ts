import type { Problem } from '../../shared/error/problem.ts';
import type { PatchbayBridge } from '../../shared/ipc/contract.ts';
import type { HubLink } from '../store/model.ts';

declare global {
  interface Window {
    /** Put there by the preload script; absent when it did not run. */
    readonly patchbay?: PatchbayBridge;
  }
}

/** The link over a bridge. A call that rejects instead of answering means the main process is gone: `onLost` hears it. */
export function connectBridge(
  bridge: PatchbayBridge | undefined,
  onLost: (problem: Problem) => void,
): HubLink {
  return {
    async call(name, input) {
      if (bridge === undefined) return lost('The window was opened without its bridge.', onLost);
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

/** Path of a file that was dropped; empty for one that is not on the disk. */
export function pathOfFile(file: File): string {
  return window.patchbay?.pathOf(file) ?? '';
}
