import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { serveDesk } from './serve-desk.ts';
import { stepBack } from './step-back.ts';

/** The program of the thread that keeps the activity; the hub starts it when there is something to keep. */
if (parentPort !== null) {
  stepBack();
  serveDesk(parentPort, systemClock);
}
