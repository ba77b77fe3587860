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

/** What one session waits for before it greets its client. */
export function createWaiting({ ready, router, view: viewNow, ended, clock }: WaitingParts): Waiting {
  return {
    ready,
    /** For the process that is listed, not for one of the session's own. */
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
        // Some servers say nothing to a ping; what it has listed by now counts.
        if (!late.signal.aborted) throw error;
      } finally {
        limit.dispose();
      }
    },
  };
}

/** Milliseconds to wait for the server: clients that give up after 30 s are to hear why it cannot be had. */
const longestWait = 27_000;

/** Milliseconds, however long it took until then. */
const shortestWait = 2_000;

/** Milliseconds for its answer once its list is there, or the time is over. */
const pingPatience = 5_000;

const lookEvery = 1_000;

const neverDue: Disposable = { dispose: () => {} };

function holds({ tools, prompts, resources, resourceTemplates }: CatalogueView): boolean {
  return [tools, prompts, resources, resourceTemplates].some(({ length }) => length > 0);
}

/** A ping has none. */
function onProgress(): void {}
