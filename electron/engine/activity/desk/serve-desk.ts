import type { Clock } from '../../base/clock.ts';
import { SerialQueue } from '../../base/queue.ts';
import type { ActivityWorkerInput, ActivityWorkerOutput } from '../contract.ts';
import { ActivityWorker } from './desk.ts';

/** The worker's side of the thread. */
export interface ActivityWorkerPort {
  on(event: 'message', listener: (input: ActivityWorkerInput) => void): unknown;
  postMessage(output: ActivityWorkerOutput): void;
  close(): void;
}

/** Runs the worker on its inputs, one after the other, until it gets `close`. */
export function serveActivityWorker(port: ActivityWorkerPort, clock: Clock): void {
  const queue = new SerialQueue();
  let worker: ActivityWorker | undefined;
  const handle = async (input: ActivityWorkerInput) => {
    if (input.kind === 'open') {
      worker = new ActivityWorker({ clock, post: (output) => port.postMessage(output) }, input);
      await worker.takeOver();
    } else await worker?.handle(input);
    if (input.kind === 'close') port.close();
  };
  port.on('message', (input) => void queue.run(() => handle(input)));
}
