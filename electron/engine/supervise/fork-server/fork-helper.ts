import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Clock, delay } from '../../base/clock.ts';
import type { ChildExit } from '../failure-problem.ts';
import type { Program, StartedProcess } from '../start-process.ts';
import type { ForkNews, StartOrder } from './protocol.ts';
import { type ExpectedStream, StdioDoor } from './stdio-door.ts';

/** The fork server ended, or did not answer, before a start was complete: whether the program runs is not known. */
export class ForkLostError extends Error {}

export interface ForkHelperOptions {
  /** The built `program.ts`. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Nothing that it has started runs any more. */
  readonly onIdle: () => void;
}

interface Start {
  readonly started: (pid: number) => void;
  readonly failed: (error: Error) => void;
  readonly exited: (exit: ChildExit) => void;
}

/** One process of the fork server as the hub sees it. */
export class ForkHelper {
  /** False if it ended, or was given up, before it could work. */
  readonly ready: Promise<boolean>;
  readonly #options: ForkHelperOptions;
  readonly #door: StdioDoor;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  readonly #starts = new Map<number, Start>();
  #lastId = 0;
  #isGone = false;
  #setReady: (isReady: boolean) => void = () => {};

  constructor(options: ForkHelperOptions) {
    this.#options = options;
    this.#door = new StdioDoor(options.clock);
    this.#child = begin(options);
    this.#child.on('message', (news: ForkNews) => this.#hear(news));
    this.#gone = gone(this.#child).then(() => this.#end());
    const limit = options.clock.after(patience, () => this.#giveUp());
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

  /** Rejects with what the system says, or with {@link ForkLostError}. */
  async start(program: Program): Promise<StartedProcess> {
    const streams = [this.#door.expect(), this.#door.expect(), this.#door.expect()];
    const letGo = () => {
      for (const stream of streams) this.#door.forget(stream);
    };
    const limit = this.#options.clock.after(patience, () => {
      this.#giveUp();
      letGo();
    });
    try {
      return await this.#start(program, streams);
    } catch (error) {
      letGo();
      throw error;
    } finally {
      limit.dispose();
    }
  }

  /** Ends its process; what it has started runs on. */
  async end(): Promise<void> {
    if (this.#isGone) return;
    if (this.#child.connected) this.#child.disconnect();
    await Promise.race([this.#gone, delay(this.#options.clock, patience)]);
    this.#giveUp();
    await this.#gone;
  }

  async #start(program: Program, streams: readonly ExpectedStream[]): Promise<StartedProcess> {
    const { pid, exited } = await this.#order(program, streams);
    const [stdin, stdout, stderr] = await Promise.all(streams.map(({ socket }) => socket));
    if (stdin === undefined || stdout === undefined || stderr === undefined) throw new ForkLostError();
    // As where Node starts it: what nobody reads any more is not written.
    void exited.then(() => stdin.destroy());
    const drained = Promise.all([exited, closed(stdout), closed(stderr)]).then(() => undefined);
    return { pid, stdin, stdout, stderr, exited, drained };
  }

  /** Resolves once the program runs; `exited` never does if this process ends before the program. */
  #order(
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
      const order: StartOrder = { id, program, door: this.#door.name, tokens };
      // That it cannot be told means that it has ended, which is heard of.
      this.#child.send(order, () => {});
    });
  }

  #hear(news: ForkNews): void {
    if (news.kind === 'ready') {
      this.#setReady(true);
      return;
    }
    const start = this.#starts.get(news.id);
    if (news.kind === 'started') start?.started(news.pid);
    if (news.kind === 'failed') start?.failed(new Error(news.reason));
    if (news.kind === 'ended') start?.exited(news.exit);
    if (news.kind !== 'started') this.#over(news.id);
  }

  #over(id: number): void {
    this.#starts.delete(id);
    if (this.isIdle) this.#options.onIdle();
  }

  #giveUp(): void {
    if (!this.#isGone) this.#child.kill('SIGKILL');
  }

  #end(): void {
    this.#isGone = true;
    this.#setReady(false);
    this.#door.close();
    for (const { failed } of this.#starts.values()) failed(new ForkLostError());
    this.#starts.clear();
  }
}

/** Milliseconds for each thing that it is asked; far more than it needs on a busy machine. */
const patience = 10_000;

function begin({ file, env }: ForkHelperOptions): ChildProcess {
  const child = spawn(process.execPath, [file], {
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // What a terminal tells all in front of it is not for this one: it is needed until the last server has ended.
    detached: true,
  });
  // It ends with this program, and does not keep it.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Also if it never began. */
function gone(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    // Stays for good: a message that cannot be sent any more must not take the hub with it.
    child.on('error', () => {
      if (child.pid === undefined) resolve();
    });
  });
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close').catch(() => undefined);
}
