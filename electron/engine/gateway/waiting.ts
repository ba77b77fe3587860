import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
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
  readonly clock: Clock;
}

/** Creates the waits of a session before it answers `initialize`. */
export function createWaiting({ ready, router, view: viewNow, ended, clock }: WaitingParts): Waiting {
  return {
    ready,
    /** Reaches the shared process, not an instance of the session. */
    async reach(serverKey) {
      const since = clock.uptime();
      await ready();
      const view = viewNow();
      if (view === undefined) return;
      const message = toRaw({ jsonrpc: '2.0', id: 0, method: 'ping' }) as RawRequest;
      const left = Math.max(shortestWait, longestWait - (clock.uptime() - since));
      const reachBy = clock.now() + left;
      const late = new AbortController();
      let limit = neverDue;
      const look = (rest: number) => {
        const isListed = holds(viewNow() ?? view);
        if (isListed || rest <= 0) limit = clock.after(pingPatience, () => late.abort());
        else limit = clock.after(lookEvery, () => look(rest - lookEvery));
      };
      look(left);
      const signal = AbortSignal.any([ended, late.signal]);
      try {
        await router.forward({ sessionId: noSession, message, view, serverKey, signal, onProgress, reachBy });
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
const longestWait = 27_000;

/** Minimum wait in milliseconds, however much time has passed. */
const shortestWait = 2_000;

/** Milliseconds to wait for the ping once the server is listed, or the time is up. */
const pingPatience = 5_000;

const lookEvery = 1_000;

const neverDue: Disposable = { dispose: () => {} };

function holds({ tools, prompts, resources, resourceTemplates }: CatalogueView): boolean {
  return [tools, prompts, resources, resourceTemplates].some(({ length }) => length > 0);
}

function onProgress(): void {}
