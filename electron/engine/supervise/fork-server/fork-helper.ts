import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Clock, delay } from '../../base/clock.ts';
import type { ChildExit } from '../failure-problem.ts';
import type { Program, StartedProcess } from '../start-process.ts';
import type { ForkEvent, StartRequest } from './protocol.ts';
import { type ExpectedStream, StdioListener } from './stdio-door.ts';

/** The fork server ended, or did not answer, during a start; whether the program runs is unknown. */
export class ForkLostError extends Error {}

export interface ForkHelperOptions {
  /** Path of the built `program.ts`. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Called when no program that it started is running. */
  readonly onIdle: () => void;
}

interface PendingStart {
  readonly started: (pid: number) => void;
  readonly failed: (error: Error) => void;
  readonly exited: (exit: ChildExit) => void;
}

/** The hub's side of one fork server process. */
export class ForkHelper {
  /** Resolves with false if it ended, or was killed, before it was ready. */
  readonly ready: Promise<boolean>;
  readonly #options: ForkHelperOptions;
  readonly #listener: StdioListener;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  readonly #starts = new Map<number, PendingStart>();
  #lastId = 0;
  #isGone = false;
  #setReady: (isReady: boolean) => void = () => {};

  constructor(options: ForkHelperOptions) {
    this.#options = options;
    this.#listener = new StdioListener(options.clock);
    this.#child = startHelper(options);
    this.#child.on('message', (news: ForkEvent) => this.#onMessage(news));
    this.#gone = whenGone(this.#child).then(() => this.#end());
    const limit = options.clock.after(timeoutMs, () => this.#kill());
    this.ready = new Promise<boolean>((resolve) => {
      this.#setReady = resolve;
    }).finally(() => limit.dispose());
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get isIdle(): boolean {
    return this.#starts.size === 0;
  }

  /** Rejects with the system's error, or with {@link ForkLostError}. */
  async start(program: Program): Promise<StartedProcess> {
    const streams = [this.#listener.expect(), this.#listener.expect(), this.#listener.expect()];
    const releaseStreams = () => {
      for (const stream of streams) this.#listener.release(stream);
    };
    const limit = this.#options.clock.after(timeoutMs, () => {
      this.#kill();
      releaseStreams();
    });
    try {
      return await this.#start(program, streams);
    } catch (error) {
      releaseStreams();
      throw error;
    } finally {
      limit.dispose();
    }
  }

  /** Ends the fork server; the programs it started keep running. */
  async end(): Promise<void> {
    if (this.#isGone) return;
    if (this.#child.connected) this.#child.disconnect();
    await Promise.race([this.#gone, delay(this.#options.clock, timeoutMs)]);
    this.#kill();
    await this.#gone;
  }

  async #start(program: Program, streams: readonly ExpectedStream[]): Promise<StartedProcess> {
    const { pid, exited } = await this.#request(program, streams);
    const [stdin, stdout, stderr] = await Promise.all(streams.map(({ socket }) => socket));
    if (stdin === undefined || stdout === undefined || stderr === undefined) throw new ForkLostError();
    // Matches Node's own behaviour: writes after the exit are discarded.
    void exited.then(() => stdin.destroy());
    const drained = Promise.all([exited, closed(stdout), closed(stderr)]).then(() => undefined);
    return { pid, stdin, stdout, stderr, exited, drained };
  }

  /** Resolves once the program runs. `exited` never resolves if the fork server ends first. */
  #request(
    program: Program,
    streams: readonly ExpectedStream[],
  ): Promise<{ readonly pid: number; readonly exited: Promise<ChildExit> }> {
    return new Promise((resolve, reject) => {
      if (this.#isGone) return reject(new ForkLostError());
      this.#lastId++;
      const id = this.#lastId;
      const exited = new Promise<ChildExit>((exit) => {
        this.#starts.set(id, {
          started: (pid) => resolve({ pid, exited }),
          failed: reject,
          exited: exit,
        });
      });
      const tokens = streams.map(({ token }) => token);
      const order: StartRequest = { id, program, listener: this.#listener.name, tokens };
      // Ignores a failed send: it means that the process has ended, which is handled by its exit event.
      this.#child.send(order, () => {});
    });
  }

  #onMessage(event: ForkEvent): void {
    if (event.kind === 'ready') {
      this.#setReady(true);
      return;
    }
    const start = this.#starts.get(event.id);
    if (event.kind === 'started') start?.started(event.pid);
    if (event.kind === 'failed') start?.failed(new Error(event.reason));
    if (event.kind === 'ended') start?.exited(event.exit);
    if (event.kind !== 'started') this.#remove(event.id);
  }

  #remove(id: number): void {
    this.#starts.delete(id);
    if (this.isIdle) this.#options.onIdle();
  }

  #kill(): void {
    if (!this.#isGone) this.#child.kill('SIGKILL');
  }

  #end(): void {
    this.#isGone = true;
    this.#setReady(false);
    this.#listener.close();
    for (const { failed } of this.#starts.values()) failed(new ForkLostError());
    this.#starts.clear();
  }
}

/** Milliseconds for each request; far more than it needs, even on a busy machine. */
const timeoutMs = 10_000;

function startHelper({ file, env }: ForkHelperOptions): ChildProcess {
  const child = spawn(process.execPath, [file], {
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Detached from the terminal's signals: it is needed until the last server has ended.
    detached: true,
  });
  // The IPC channel ends it with this program, and does not keep this program alive.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Resolves when the child has exited, or failed to start. */
function whenGone(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    // Kept for good: a later error (a message that cannot be sent) must not crash the hub.
    child.on('error', () => {
      if (child.pid === undefined) resolve();
    });
  });
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close').catch(() => undefined);
}
