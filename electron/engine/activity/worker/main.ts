import { parentPort } from 'node:worker_threads';
import { type Clock, systemClock } from '../../base/clock.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { ActivityWorkerInput, ActivityWorkerOutput } from '../contract.ts';
import { ActivityWorker } from './activity-worker.ts';

/** Program of the worker thread that stores activity; the hub starts it when there is something to store. */
if (parentPort !== null) serveActivityWorker(parentPort, systemClock);

/** The worker's side of the thread. */
interface ActivityWorkerPort {
  on(event: 'message', listener: (input: ActivityWorkerInput) => void): unknown;
  postMessage(output: ActivityWorkerOutput): void;
  close(): void;
}

/** Runs the worker on its inputs, one after the other, until it gets `close`. */
function serveActivityWorker(port: ActivityWorkerPort, clock: Clock): void {
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
