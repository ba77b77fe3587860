import { toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Connection, SupervisedServer } from '../servers/contract.ts';
import { cancelled, serverUnavailable } from './error-map.ts';
import type { CallProgress } from './progress-tokens.ts';

export interface WaitForConnectionOptions {
  readonly server: SupervisedServer;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Maximum wait in milliseconds. */
  readonly waitMs: number;
  /** Receives a message from time to time about what is being waited for. */
  readonly progress: CallProgress | undefined;
}

/** Waits for a sleeping or starting server, but no longer than the client does. */
export function waitForConnection({
  server,
  signal,
  clock,
  waitMs,
  progress,
}: WaitForConnectionOptions): Promise<Connection> {
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const reports = progress && reportWaiting(server, clock, progress);
    const end = () => {
      reports?.dispose();
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
const progressIntervalMs = 2_000;

/** Sends progress while waiting, because clients give up on silent calls. */
function reportWaiting(server: SupervisedServer, clock: Clock, progress: CallProgress): Disposable {
  let timer = clock.after(progressIntervalMs, announce);
  function announce(): void {
    progress.announce(waitMessage(server));
    timer = clock.after(progressIntervalMs, announce);
  }
  return { dispose: () => timer.dispose() };
}

function waitMessage({ key, state }: SupervisedServer): string {
  const isComingBack = state.status === 'disconnected' && state.nextTryAt !== undefined;
  return isComingBack ? `${key} stopped; restarting it…` : `Starting ${key}…`;
}
