import { toProblem } from '../../../shared/error/problem.ts';
import type { ServerStatus } from '../../../shared/model/server.ts';
import type { ServerUpdate } from '../../../shared/model/server-update.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Logger, LogLevel } from '../base/logger.ts';
import type { ServerLog, ServerState } from './contract.ts';
import { describeState, describeUpdate } from './describe-state.ts';
import { createInstanceLog, type SharedLog } from './instance-log.ts';
import type { Redact } from './redact.ts';
import { createServerLog } from './server-log.ts';
import { isSameState } from './server-states.ts';

export interface StatusReporterOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: Redact;
  /** Also receives its lines. */
  readonly sharedLog?: SharedLog;
  /** Called after every change, even if the state looks the same. */
  readonly onChange: (previous: ServerStatus) => void;
}

/** Public view of a server: its state, and a log that records every state. */
export class StatusReporter {
  readonly log: ServerLog;
  readonly #options: StatusReporterOptions;
  readonly #changed = new Emitter<ServerState>();
  #state: ServerState;

  constructor(options: StatusReporterOptions) {
    const { clock, redact, sharedLog } = options;
    this.#options = options;
    const own = createServerLog({ clock, redact });
    this.log = sharedLog === undefined ? own : createInstanceLog(own, redact, sharedLog);
    this.#state = { status: 'disconnected', since: clock.now() };
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Fires after all listeners have been notified of a state, and when waiting callers should look again. */
  get onRecheck(): Event<ServerState> {
    return this.#changed.event;
  }

  recheck(): void {
    this.#changed.fire(this.#state);
  }

  /** Calls `before` once the state is set, but before anyone is notified. */
  show(state: ServerState, before: () => void = () => {}): void {
    const previous = this.#state;
    if (isSameState(previous, state)) return;
    this.#state = state;
    this.#try(before);
    if (this.#state !== state) return;
    this.write('info', describeState(state), { status: state.status });
    this.#options.onChange(previous.status);
    this.#changed.fire(state);
  }

  reportUpdate(update: ServerUpdate | undefined): void {
    if (update !== undefined) this.write('info', describeUpdate(update), { update: update.kind });
    this.#options.onChange(this.#state.status);
  }

  /** Writes to the server's log and to the program's; listeners of the state decide what people see. */
  write(level: LogLevel, text: string, data: Readonly<Record<string, unknown>>): void {
    const { key, logger } = this.#options;
    this.log.append('hub', text);
    logger.log(level, `server "${key}": ${text}`, data);
  }

  /** A failing callback must not prevent the notification of the state. */
  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      const problem = toProblem(error);
      this.write('error', problem.sentence, { problem });
    }
  }
}
