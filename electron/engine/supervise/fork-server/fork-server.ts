import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { childEnvironment } from '../child-env.ts';
import { createProcessTag } from '../new-run.ts';
import type { Program, StartedProcess } from '../start-process.ts';
import { ForkHelper, ForkLostError } from './fork-helper.ts';

export interface ForkServerOptions {
  /** Path of the built `program.ts`. */
  readonly file: string;
  readonly instanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends everything that carries this process tag; resolves when it is gone. */
  readonly endRun: (runId: string) => Promise<void>;
}

/**
 * Starts programs through a small helper process. To start a program, the system copies the page tables of
 * the parent, which takes long enough in a large, long-running hub to make clients wait. The helper runs only
 * while it is needed.
 */
export class ForkServer {
  readonly #options: ForkServerOptions;
  #helper: Promise<ForkHelper | undefined> = Promise.resolve(undefined);
  #idleTimer: Disposable | undefined;
  #disabledUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ForkServerOptions) {
    this.#options = options;
  }

  /**
   * Resolves with undefined if it cannot start the program now and nothing of it runs: the hub starts it
   * directly. Rejects with the system's error about the program.
   */
  async start(program: Program, tagId: string): Promise<StartedProcess | undefined> {
    const helper = await this.#getHelper();
    try {
      return await helper?.start(program);
    } catch (error) {
      if (!(error instanceof ForkLostError)) throw error;
      this.#disable('It ended, or did not answer');
      await this.#options.endRun(tagId);
      return undefined;
    }
  }

  /** Must be called after everything it started has ended. */
  async close(): Promise<void> {
    this.#idleTimer?.dispose();
    this.#disabledUntil = Number.POSITIVE_INFINITY;
    await (await this.#helper)?.end();
  }

  #getHelper(): Promise<ForkHelper | undefined> {
    this.#idleTimer?.dispose();
    this.#helper = this.#helper.then((helper) => (helper?.isGone === false ? helper : this.#startHelper()));
    return this.#helper;
  }

  async #startHelper(): Promise<ForkHelper | undefined> {
    const { clock, file } = this.#options;
    if (clock.uptime() < this.#disabledUntil) return undefined;
    const env = await this.#environment();
    if (env === undefined) return undefined;
    try {
      const helper: ForkHelper = new ForkHelper({
        file,
        env,
        clock,
        onIdle: () => this.#startIdleTimer(helper),
      });
      if (await helper.ready) return helper;
      this.#disable('It ended at once');
    } catch (error) {
      this.#disable(String(error));
    }
    return undefined;
  }

  /**
   * Returns undefined if this process cannot be identified: the next hub could not find and end the helper.
   */
  async #environment(): Promise<Readonly<Record<string, string>> | undefined> {
    const tag = await createProcessTag();
    if (tag === undefined) return undefined;
    // NODE_OPTIONS are meant for this process, not for the helper.
    const inherited = { ...process.env, NODE_OPTIONS: undefined };
    const entry = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
    return childEnvironment({ inherited, entry, instanceId: this.#options.instanceId, tag });
  }

  #startIdleTimer(helper: ForkHelper): void {
    this.#idleTimer?.dispose();
    this.#idleTimer = this.#options.clock.after(idleTimeoutMs, () => {
      if (helper.isIdle) void helper.end();
    });
  }

  #disable(reason: string): void {
    const { clock, logger } = this.#options;
    this.#disabledUntil = Math.max(this.#disabledUntil, clock.uptime() + disabledMs);
    logger.log('warn', 'The fork server is unusable for now; servers are started without it', { reason });
  }
}

/** Milliseconds to stay idle; longer than the pauses of a server in a crash loop. */
const idleTimeoutMs = 60_000;

/** Milliseconds before it is tried again. */
const disabledMs = 60_000;
