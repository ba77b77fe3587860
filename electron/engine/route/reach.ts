import { toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Connection, SupervisedServer } from '../supervise/contract.ts';
import type { CallSignal } from './contract.ts';
import { cancelled, serverUnavailable } from './error-map.ts';
import type { ProgressLeg } from './progress-tokens.ts';

export function connected({ state }: SupervisedServer): Connection | undefined {
  return 'connection' in state ? state.connection : undefined;
}

export interface ReachOptions {
  readonly server: SupervisedServer;
  readonly signal: CallSignal;
  readonly clock: Clock;
  /** Maximum wait in milliseconds. */
  readonly waitMs: number;
  /** Receives a message from time to time about what is being waited for. */
  readonly progress: ProgressLeg | undefined;
}

/** Waits for a sleeping or starting server, but no longer than the client does. */
export function reach({ server, signal, clock, waitMs, progress }: ReachOptions): Promise<Connection> {
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const notices = progress && announceWait(server, clock, progress);
    const end = () => {
      notices?.dispose();
      signal.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      end();
      reject(cancelled());
    };
    signal.addEventListener('abort', onAbort);
    server
      .connection(waitMs)
      .then(resolve, (error) => reject(serverUnavailable(server.key, server.state, toProblem(error))))
      .finally(end);
  });
}

/** Interval between progress messages in milliseconds. */
const noticeInterval = 2_000;

/** Sends progress while waiting, because clients give up on silent calls. */
function announceWait(server: SupervisedServer, clock: Clock, progress: ProgressLeg): Disposable {
  let timer = clock.after(noticeInterval, announce);
  function announce(): void {
    progress.announce(waitMessage(server));
    timer = clock.after(noticeInterval, announce);
  }
  return { dispose: () => timer.dispose() };
}

function waitMessage({ key, state }: SupervisedServer): string {
  const isComingBack = state.status === 'disconnected' && state.nextTryAt !== undefined;
  return isComingBack ? `${key} stopped; restarting it…` : `Starting ${key}…`;
}
