import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ProblemError } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import { IdleTimer } from '../../base/unused-timer.ts';
import type { EmbeddingProgram } from '../contract.ts';
import type { Embedder, LocalModel } from '../meaning/embedder.ts';
import type { EmbedRequest, ModelFolder, TextRole, ThreadData, ThreadMessage } from './contract.ts';
import { unusableModel } from './unusable.ts';

interface Waiting {
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: ProblemError): void;
}

/** A thread with its model loaded or loading. */
interface Running {
  readonly thread: Worker;
  /** Resolves to the length of its vectors. */
  readonly loaded: Promise<number>;
}

/** Runs a model from a folder in a worker thread that exists only while it is used. */
export class FolderEmbedder implements Embedder {
  readonly tag: string;
  readonly model: LocalModel;
  readonly #files: ModelFolder;
  readonly #program: EmbeddingProgram;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  #running: Running | undefined;
  #isLoaded = false;
  readonly #idle: IdleTimer;
  #last = 0;

  constructor(files: ModelFolder, program: EmbeddingProgram, clock: Clock) {
    this.tag = `folder ${files.identity}`;
    this.#files = files;
    this.#program = program;
    this.#clock = clock;
    const end = () => this.#end(this.#failed('it was ended'));
    this.#idle = new IdleTimer({ clock, milliseconds: idleMs, onIdle: end });
    this.model = {
      isLoaded: () => this.#isLoaded,
      load: () => this.#load(),
      dispose: end,
    };
  }

  async embed(texts: readonly string[], timeoutMs: number, role: TextRole = 'text') {
    await this.#load();
    const { thread } = this.#running ?? {};
    if (thread === undefined) throw this.#failed('it was ended');
    this.#last += 1;
    const request: EmbedRequest = { id: this.#last, texts, role };
    return new Promise<readonly Float32Array[]>((resolve, reject) => {
      const timer = this.#clock.after(timeoutMs, () => this.#timedOut(request));
      const settle = <T>(done: (value: T) => void) => {
        return (value: T) => {
          timer.dispose();
          done(value);
        };
      };
      this.#waiting.set(request.id, { resolve: settle(resolve), reject: settle(reject) });
      thread.postMessage(request);
    });
  }

  #load(): Promise<number> {
    this.#idle.markUsed();
    this.#running ??= this.#start();
    return this.#running.loaded;
  }

  #start(): Running {
    const task: ThreadData = { files: this.#files, runtime: fileURLToPath(this.#program.runtime) };
    // Output of the runtime is discarded: its errors contain the same.
    const options = { name: 'meaning', workerData: task, stdout: true, stderr: true };
    const thread = new Worker(this.#program.thread, options);
    thread.unref();
    thread.stdout.resume();
    thread.stderr.resume();
    const loaded = new Promise<number>((resolve, reject) => {
      const timer = this.#clock.after(loadTimeoutMs, () => this.#end(this.#failed(tooLongToLoad), thread));
      this.#waiting.set(loadRequestId, { resolve: () => undefined, reject });
      thread.on('message', (message: ThreadMessage) => {
        if (this.#running?.thread !== thread) return;
        if (message.kind === 'loaded' || message.kind === 'unusable') timer.dispose();
        if (message.kind === 'loaded') {
          this.#isLoaded = true;
          this.#waiting.delete(loadRequestId);
          resolve(message.dimension);
        } else this.#receive(message, thread);
      });
      thread.once('error', (reason) => this.#end(this.#failed('it crashed', reason), thread));
      thread.once('exit', () => {
        timer.dispose();
        this.#end(this.#failed('it exited unexpectedly'), thread);
      });
    });
    return { thread, loaded };
  }

  #receive(message: Exclude<ThreadMessage, { kind: 'loaded' }>, thread: Worker): void {
    if (message.kind === 'unusable') {
      this.#end(new ProblemError(message.problem), thread);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'embedded') waiting?.resolve(message.vectors);
    else waiting?.reject(new ProblemError(message.problem));
  }

  /**
   * Abandons a slow query but keeps the thread; ends the thread if a batch takes over a minute, since the
   * model is too slow for this machine.
   */
  #timedOut({ id, role }: EmbedRequest): void {
    const why = this.#failed('it is too slow on this machine');
    if (role === 'text') this.#end(why);
    else this.#waiting.get(id)?.reject(why);
    this.#waiting.delete(id);
  }

  #end(why: ProblemError, thread = this.#running?.thread): void {
    if (thread === undefined || this.#running?.thread !== thread) return;
    this.#running = undefined;
    this.#isLoaded = false;
    this.#idle.dispose();
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
    void thread.terminate();
  }

  #failed(why: string, reason?: unknown): ProblemError {
    return unusableModel(this.#files.folder, why, 'Choose a smaller or a quantized model.', reason);
  }
}

/** Id of the implicit load request of every thread. */
const loadRequestId = 0;
const tooLongToLoad = 'it takes too long to load';

/** Milliseconds. */
const loadTimeoutMs = 120_000;

/** Milliseconds after which an unused model is unloaded. */
const idleMs = 600_000;
