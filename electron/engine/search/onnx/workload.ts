import { toProblem } from '../../../../shared/error/problem.ts';
import type { EmbedRequest, ThreadMessage } from './contract.ts';
import type { ModelRunner } from './model-runner.ts';
import { slicesOf } from './slices.ts';

interface Job {
  readonly request: EmbedRequest;
  readonly texts: readonly (readonly number[])[];
  readonly slices: (readonly number[])[];
  readonly vectors: Float32Array[];
}

/** Runs the jobs of a thread slice by slice, queries first, since a person waits for them. */
export class Workload {
  readonly #model: ModelRunner;
  readonly #say: (message: ThreadMessage) => void;
  readonly #jobs: Job[] = [];
  #isRunning = false;

  constructor(model: ModelRunner, say: (message: ThreadMessage) => void) {
    this.#model = model;
    this.#say = say;
  }

  add(request: EmbedRequest): void {
    const texts = request.texts.map((text) => this.#model.encode(text, request.role));
    const slices = [...slicesOf(texts.map(({ length }) => length))];
    this.#jobs.push({ request, texts, slices, vectors: [] });
    if (!this.#isRunning) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      await this.#step(job);
      // Lets new requests arrive between slices.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isRunning = false;
  }

  #next(): Job | undefined {
    return this.#jobs.find(({ request }) => request.role === 'query') ?? this.#jobs[0];
  }

  async #step(job: Job): Promise<void> {
    const { request, texts, slices, vectors } = job;
    const slice = slices.shift() ?? [];
    try {
      const made = slice.length === 0 ? [] : await this.#model.run(slice.map((at) => texts[at] ?? []));
      slice.forEach((at, place) => {
        vectors[at] = made[place] ?? new Float32Array(0);
      });
      if (slices.length > 0) return;
      this.#say({ kind: 'embedded', id: request.id, vectors });
    } catch (error) {
      this.#say({ kind: 'failed', id: request.id, problem: toProblem(error) });
    }
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
  }
}
