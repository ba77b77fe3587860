import { Worker } from 'node:worker_threads';
import type {
  ActivityWorkerInput,
  ActivityWorkerOutput,
  ActivityWorkerThread,
  StartActivityWorker,
} from './contract.ts';

/** Starts activity workers from a program file. */
export function activityWorkerFrom(program: URL): StartActivityWorker {
  return () => new ActivityWorkerProcess(program);
}

class ActivityWorkerProcess implements ActivityWorkerThread {
  readonly #worker: Worker;
  #endReason = 'its thread has ended';

  constructor(program: URL) {
    this.#worker = new Worker(program, { name: 'activity', resourceLimits: resourceLimits });
    // The worker does not keep the process alive.
    this.#worker.unref();
    this.#worker.on('error', (error) => {
      this.#endReason = String(error);
    });
  }

  post(input: ActivityWorkerInput): void {
    // Moves the bytes instead of copying them: nobody here needs a batch any more.
    const moved = input.kind === 'add' ? [input.records.buffer, input.contents.bytes.buffer] : [];
    this.#worker.postMessage(input, moved);
  }

  onOutput(listener: (output: ActivityWorkerOutput) => void): void {
    this.#worker.on('message', listener);
    this.#worker.unref();
  }

  onEnded(listener: (reason: string) => void): void {
    this.#worker.once('exit', () => listener(this.#endReason));
  }

  kill(): void {
    void this.#worker.terminate();
  }
}

/** More than the largest batch needs. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };
