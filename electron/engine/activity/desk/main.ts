import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { serveDesk } from './serve-desk.ts';
import { stepBack } from './step-back.ts';

/** Program of the worker thread that stores activity; the hub starts it when there is something to store. */
if (parentPort !== null) {
  stepBack();
  serveDesk(parentPort, systemClock);
}
