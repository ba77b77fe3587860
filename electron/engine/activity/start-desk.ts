import { Worker } from 'node:worker_threads';
import type { DeskInput, DeskOutput, DeskThread, StartDesk } from './contract.ts';

/** Starts activity workers from a program file. */
export function deskIn(program: URL): StartDesk {
  return () => new WorkerDesk(program);
}

class WorkerDesk implements DeskThread {
  readonly #worker: Worker;
  #lastWord = 'its thread has ended';

  constructor(program: URL) {
    this.#worker = new Worker(program, { name: 'activity', resourceLimits: limits });
    // The worker does not keep the process alive.
    this.#worker.unref();
    this.#worker.on('error', (error) => {
      this.#lastWord = String(error);
    });
  }

  post(input: DeskInput): void {
    this.#worker.postMessage(input, input.kind === 'add' ? [input.rows.buffer, input.bodies.buffer] : []);
  }

  onOutput(listener: (output: DeskOutput) => void): void {
    this.#worker.on('message', listener);
    this.#worker.unref();
  }

  onGone(listener: (reason: string) => void): void {
    this.#worker.once('exit', () => listener(this.#lastWord));
  }

  kill(): void {
    void this.#worker.terminate();
  }
}

/** More than the largest batch needs. */
const limits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };
