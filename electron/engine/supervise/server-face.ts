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

export interface ServerFaceOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: Redact;
  /** Gets its lines too. */
  readonly sharedLog?: SharedLog;
  /** Hears of every change, also of one that the state does not show. */
  readonly onChange: (previous: ServerStatus) => void;
}

/** What others see of a server: its state, and a log in which every state is noted. */
export class ServerFace {
  readonly log: ServerLog;
  readonly #options: ServerFaceOptions;
  readonly #changed = new Emitter<ServerState>();
  #state: ServerState;

  constructor(options: ServerFaceOptions) {
    const { clock, redact, sharedLog } = options;
    this.#options = options;
    const own = createServerLog({ clock, redact });
    this.log = sharedLog === undefined ? own : createInstanceLog(own, redact, sharedLog);
    this.#state = { status: 'disconnected', since: clock.now() };
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Comes after everybody has heard of a state, and when whoever waits should look again. */
  get onLook(): Event<ServerState> {
    return this.#changed.event;
  }

  lookAgain(): void {
    this.#changed.fire(this.#state);
  }

  /** `before` comes before anybody hears of the state, but after it is so. */
  show(state: ServerState, before: () => void = () => {}): void {
    const previous = this.#state;
    if (isSameState(previous, state)) return;
    this.#state = state;
    this.#try(before);
    if (this.#state !== state) return;
    this.note('info', describeState(state), { status: state.status });
    this.#options.onChange(previous.status);
    this.#changed.fire(state);
  }

  tellUpdate(update: ServerUpdate | undefined): void {
    if (update !== undefined) this.note('info', describeUpdate(update), { update: update.kind });
    this.#options.onChange(this.#state.status);
  }

  /** Into its own log and the program's; whoever listens to states decides what to tell people. */
  note(level: LogLevel, text: string, data: Readonly<Record<string, unknown>>): void {
    const { key, logger } = this.#options;
    this.log.append('hub', text);
    logger.log(level, `server "${key}": ${text}`, data);
  }

  /** That somebody else's part fails must not keep the state from being told. */
  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      const problem = toProblem(error);
      this.note('error', problem.sentence, { problem });
    }
  }
}
