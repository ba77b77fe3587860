import type { CatalogueView } from '../catalogue/contract.ts';
import { noSession, type Router } from '../route/contract.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { Waiting } from './scope.ts';

export interface WaitingParts {
  readonly ready: () => Promise<void>;
  readonly router: Router;
  readonly view: () => CatalogueView | undefined;
  readonly ended: AbortSignal;
}

/** What one session waits for before it greets its client. */
export function createWaiting({ ready, router, view: viewNow, ended: signal }: WaitingParts): Waiting {
  return {
    ready,
    /** For the process that is listed, not for one of the session's own. */
    async reach(serverKey) {
      await ready();
      const view = viewNow();
      if (view === undefined) return;
      const message = toRaw({ jsonrpc: '2.0', id: 0, method: 'ping' }) as RawRequest;
      await router.forward({ sessionId: noSession, message, view, serverKey, signal, onProgress });
    },
  };
}

/** A ping has none. */
function onProgress(): void {}
