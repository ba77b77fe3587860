import { parentPort, workerData } from 'node:worker_threads';
import { toProblem } from '../../../../shared/error/problem.ts';
import type { EmbedRequest, ThreadData, ThreadMessage } from './contract.ts';
import { loadModel } from './model-runner.ts';
import { Workload } from './workload.ts';

/**
 * Program of the thread that runs an embedding model: its memory of up to hundreds of MB is freed when it
 * ends.
 */
const say = (message: ThreadMessage) => parentPort?.postMessage(message);

loadModel(workerData as ThreadData).then(
  (model) => {
    const workload = new Workload(model, say);
    parentPort?.on('message', (request: EmbedRequest) => workload.add(request));
    say({ kind: 'loaded', dimension: model.dimension });
  },
  (error: unknown) => say({ kind: 'unusable', problem: toProblem(error) }),
);
