import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { ServerUpdate } from '../../../../shared/model/server/server-update.ts';
import { patchbayCommand } from '../../../../shared/shell-word.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger, LogLevel } from '../../base/logger.ts';
import type { Connection, ServerLog, ServerState } from '../contract.ts';
import { createInstanceLog, type SharedLog } from '../log/instance-log.ts';
import type { Redact } from '../log/redact.ts';
import { createServerLog } from '../log/server-log.ts';
import { describeState, describeUpdate, isSameState } from './server-states.ts';

export interface ShownStateOptions {
  readonly key: string;
  readonly id: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: Redact;
  /** Also receives the lines of the log. */
  readonly sharedLog: SharedLog | undefined;
}

/**
 * State of a server as others see it, with a log that records every state, and the callers that wait for a
 * connection.
 */
export class ShownState {
  readonly log: ServerLog;
  readonly #options: ShownStateOptions;
  /** Fires after all listeners have been notified of a state, and when waiting callers should look again. */
  readonly #recheck = new Emitter<void>();
  #state: ServerState;
  #waitingCount = 0;

  constructor(options: ShownStateOptions) {
    const { clock, redact, sharedLog } = options;
    const log = createServerLog({ clock, redact });
    this.log = sharedLog === undefined ? log : createInstanceLog(log, redact, sharedLog);
    this.#options = options;
    this.#state = { status: 'disconnected', since: clock.now() };
  }

  get state(): ServerState {
    return this.#state;
  }

  /** True if callers wait for a connection. */
  get isAwaited(): boolean {
    return this.#waitingCount > 0;
  }

  /**
   * Replaces the state, unless it looks the same. Calls `commit` once it is set, but before anyone is notified.
   */
  set(state: ServerState, commit: () => void, notify: (previous: ServerState) => void): void {
    const previous = this.#state;
    if (isSameState(previous, state)) return;
    this.#state = state;
    try {
      commit();
    } catch (error) {
      // Must not prevent the notification of the state.
      this.writeProblem(toProblem(error));
    }
    if (this.#state !== state) return;
    this.write('info', describeState(state), { status: state.status });
    notify(previous);
    this.#recheck.fire();
  }

  /** Makes waiting callers look again. */
  recheck(): void {
    this.#recheck.fire();
  }

  writeUpdate(update: ServerUpdate): void {
    this.write('info', describeUpdate(update), { update: update.kind });
  }

  writeProblem(reason: Problem): void {
    this.write('error', reason.sentence, { problem: reason });
  }

  /** Writes to the server's log and to the program's; listeners of the state decide what people see. */
  write(level: LogLevel, text: string, data: Readonly<Record<string, unknown>>): void {
    const { id, logger } = this.#options;
    this.log.append('hub', text);
    logger.log(level, `server "${id}": ${text}`, data);
  }

  /**
   * Waits for the connection. Rejects with `call.server_unavailable` at the timeout, or when no connection will
   * come, and with the refusal if there is one.
   */
  async connection(milliseconds: number, refusal: () => Problem | undefined): Promise<Connection> {
    this.#waitingCount++;
    try {
      return await this.#waitForConnection(milliseconds, refusal);
    } finally {
      this.#waitingCount--;
    }
  }

  #waitForConnection(milliseconds: number, refusal: () => Problem | undefined): Promise<Connection> {
    const { key, clock } = this.#options;
    const deadline = clock.now() + milliseconds;
    const check = () => checkAvailability(key, this.#state, refusal(), deadline);
    const first = check();
    if (first.kind === 'ready') return Promise.resolve(first.connection);
    if (first.kind === 'never') return Promise.reject(first.error);
    if (milliseconds <= 0) return Promise.reject(unavailable(key, this.#state));
    return new Promise((resolve, reject) => {
      const finish = () => {
        timer.dispose();
        subscription.dispose();
      };
      const timer = clock.after(milliseconds, () => {
        finish();
        reject(unavailable(key, this.#state));
      });
      const subscription = this.#recheck.event(() => {
        const next = check();
        if (next.kind === 'wait') return;
        finish();
        if (next.kind === 'ready') resolve(next.connection);
        else reject(next.error);
      });
    });
  }
}

type Availability =
  | { readonly kind: 'ready'; readonly connection: Connection }
  | { readonly kind: 'wait' }
  | { readonly kind: 'never'; readonly error: ProblemError };

/** Tells whether a connection is available, possible before the deadline, or impossible. */
function checkAvailability(
  key: string,
  state: ServerState,
  refused: Problem | undefined,
  deadline: number,
): Availability {
  if (refused !== undefined) return { kind: 'never', error: new ProblemError(refused) };
  if ('connection' in state) return { kind: 'ready', connection: state.connection };
  return mayConnect(state, deadline) ? { kind: 'wait' } : { kind: 'never', error: unavailable(key, state) };
}

function mayConnect(state: ServerState, deadline: number): boolean {
  if (state.status === 'error') return state.nextTryAt !== undefined && state.nextTryAt <= deadline;
  return state.status === 'connecting' || state.status === 'disconnected';
}

function unavailable(key: string, state: ServerState): ProblemError {
  const cause: Problem | undefined = 'problem' in state ? state.problem : undefined;
  const why = cause?.sentence ?? reasons[state.status] ?? 'it is not connected.';
  const base = problem(
    'call.server_unavailable',
    `The server "${key}" is not available: ${why}`,
    cause?.fix ?? fixFor(key, state.status),
    { server: key, status: state.status },
  );
  return new ProblemError({ ...base, evidence: [...base.evidence, ...(cause?.evidence ?? [])] });
}

const reasons: Readonly<Partial<Record<ServerState['status'], string>>> = {
  disabled: 'it is turned off.',
  connecting: 'it is still starting.',
};

function fixFor(key: string, status: ServerState['status']): string {
  return status === 'disabled'
    ? `Turn it on in Patchbay, or with ${patchbayCommand('enable', key)}.`
    : 'Wait a moment, then try again.';
}
