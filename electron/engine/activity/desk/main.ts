import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { serveActivityWorker } from './serve-activity-worker.ts';

/** Program of the worker thread that stores activity; the hub starts it when there is something to store. */
if (parentPort !== null) serveActivityWorker(parentPort, systemClock);
