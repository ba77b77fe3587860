import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { SerialQueue } from '../../base/queue.ts';
import type { RawItem } from '../../catalogue/contract.ts';

/**
 * Counts the tokens that tools take in a model's context, in a worker thread that exists only while there is
 * work.
 */
export class TokenCounter implements Disposable {
  readonly #program: URL;
  readonly #clock: Clock;
  readonly #counts = new WeakMap<RawItem, number>();
  readonly #queue = new SerialQueue();
  #thread: Worker | undefined;
  #idle: Disposable | undefined;

  /** `program` is the bundle of token-thread.ts. */
  constructor(program: URL, clock: Clock) {
    this.#program = program;
    this.#clock = clock;
  }

  /** Counts in order. Rejects if the worker fails. */
  async count(tools: readonly RawItem[]): Promise<readonly number[]> {
    await this.#queue.run(() => this.#countMissing(tools.filter((tool) => !this.#counts.has(tool))));
    return tools.map((tool) => this.#counts.get(tool) ?? 0);
  }

  /** Counts the tokens of texts, without caching them. */
  async countTexts(texts: readonly string[]): Promise<readonly number[]> {
    return texts.length === 0 ? [] : this.#queue.run(() => this.#ask(texts));
  }

  dispose(): void {
    this.#idle?.dispose();
    void this.#thread?.terminate();
    this.#thread = undefined;
  }

  async #countMissing(tools: readonly RawItem[]): Promise<void> {
    if (tools.length === 0) return;
    const counts = await this.#ask(tools.map(modelText));
    tools.forEach((tool, index) => {
      this.#counts.set(tool, counts[index] ?? 0);
    });
  }

  async #ask(texts: readonly string[]): Promise<readonly number[]> {
    const thread = this.#start();
    thread.postMessage(texts);
    // A failing worker ends, and this rejects with its error.
    const [counts]: readonly (readonly number[])[] = await once(thread, 'message');
    return counts ?? [];
  }

  #start(): Worker {
    this.#idle?.dispose();
    this.#idle = this.#clock.after(idleMs, () => this.dispose());
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(this.#program, { name: 'tokens' });
    thread.unref();
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    this.#thread = thread;
    return thread;
  }
}

/** Milliseconds until an idle worker ends. */
const idleMs = 20_000;

/** Returns the part that clients pass to their model; they keep annotations and the like for themselves. */
function modelText({ name, description, inputSchema }: RawItem): string {
  return JSON.stringify({ name, description, input_schema: inputSchema });
}
