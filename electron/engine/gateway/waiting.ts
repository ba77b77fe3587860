import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import { hubSessionId, type Router } from '../route/contract.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { ScopeWaits } from './scope.ts';

export interface ScopeWaitsOptions {
  readonly ready: () => Promise<void>;
  readonly router: Router;
  readonly view: () => CatalogueView | undefined;
  readonly ended: AbortSignal;
  readonly clock: Clock;
}

/** Creates the waits of a session before it answers `initialize`. */
export function createScopeWaits({
  ready,
  router,
  view: currentView,
  ended,
  clock,
}: ScopeWaitsOptions): ScopeWaits {
  return {
    ready,
    /** Reaches the shared process, not an instance of the session. */
    async reach(serverKey) {
      const since = clock.uptime();
      await ready();
      const view = currentView();
      if (view === undefined) return;
      const message = toRaw({ jsonrpc: '2.0', id: 0, method: 'ping' }) as RawRequest;
      const leftMs = Math.max(minWaitMs, maxWaitMs - (clock.uptime() - since));
      const reachBy = clock.now() + leftMs;
      const late = new AbortController();
      let limit = neverDue;
      const check = (rest: number) => {
        const isListed = hasItems(currentView() ?? view);
        if (isListed || rest <= 0) limit = clock.after(pingTimeoutMs, () => late.abort());
        else limit = clock.after(checkIntervalMs, () => check(rest - checkIntervalMs));
      };
      check(leftMs);
      const signal = AbortSignal.any([ended, late.signal]);
      try {
        await router.forward({
          sessionId: hubSessionId,
          message,
          view,
          serverKey,
          signal,
          onProgress,
          connectBy: reachBy,
        });
      } catch (error) {
        // Some servers do not answer pings; what is listed by now counts.
        if (!late.signal.aborted) throw error;
      } finally {
        limit.dispose();
      }
    },
  };
}

/** Maximum wait in milliseconds, so that clients with a timeout of 30 s still get the reason. */
const maxWaitMs = 27_000;

/** Minimum wait in milliseconds, however much time has passed. */
const minWaitMs = 2_000;

/** Milliseconds to wait for the ping once the server is listed, or the time is up. */
const pingTimeoutMs = 5_000;

const checkIntervalMs = 1_000;

const neverDue: Disposable = { dispose: () => {} };

function hasItems({ tools, prompts, resources, resourceTemplates }: CatalogueView): boolean {
  return [tools, prompts, resources, resourceTemplates].some(({ length }) => length > 0);
}

function onProgress(): void {}
