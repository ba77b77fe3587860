import { parentPort, workerData } from 'node:worker_threads';
import { toProblem } from '../../../../shared/error/problem.ts';
import type { EmbedRequest, ThreadMessage, ThreadTask } from './contract.ts';
import { loadModel } from './model-runner.ts';
import { Workload } from './workload.ts';

/** The program of a thread that runs a model of meaning: it may take hundreds of MB, which go when it ends. */
const say = (message: ThreadMessage) => parentPort?.postMessage(message);

loadModel(workerData as ThreadTask).then(
  (model) => {
    const workload = new Workload(model, say);
    parentPort?.on('message', (request: EmbedRequest) => workload.add(request));
    say({ kind: 'loaded', dimension: model.dimension });
  },
  (error: unknown) => say({ kind: 'unusable', problem: toProblem(error) }),
);
