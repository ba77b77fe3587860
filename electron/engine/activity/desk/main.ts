import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { serveDesk } from './serve-desk.ts';

/** The program of the thread that keeps the activity; the hub starts it when there is something to keep. */
if (parentPort !== null) serveDesk(parentPort, systemClock);
