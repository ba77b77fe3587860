import type { IpcEvent, IpcEventName } from '../../../shared/ipc/contract.ts';
import type { Disposable } from '../port/disposable.ts';
import { type BatchedEvent, batchEvents, type EventBatch, emptyBatch, mergeEvent } from './event-batch.ts';

export interface EventPusherOptions {
  /** Sends to the window, if it exists. */
  readonly send: <N extends IpcEventName>(name: N, payload: IpcEvent<N>) => void;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
}

type WindowCommand = IpcEvent<'command.run'>;

/**
 * While no window is attached, events are dropped, since the window starts with the whole state; commands
 * wait for it.
 */
type PusherState =
  | { readonly kind: 'detached'; readonly commands: readonly WindowCommand[] }
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting'; readonly batch: EventBatch; readonly timer: Disposable };

/** Pushes events to the window in batches, so that a server in a crash loop cannot flood it. */
export class EventPusher {
  #state: PusherState = { kind: 'detached', commands: [] };
  readonly #options: EventPusherOptions;

  constructor(options: EventPusherOptions) {
    this.#options = options;
  }

  push(event: BatchedEvent): void {
    const state = this.#state;
    if (state.kind === 'detached') return;
    if (state.kind === 'waiting') {
      this.#state = { ...state, batch: mergeEvent(state.batch, event) };
      return;
    }
    const timer = this.#options.after(batchMs, () => this.flush());
    this.#state = { kind: 'waiting', batch: mergeEvent(emptyBatch, event), timer };
  }

  /** Sends a command in order with the events before it; commands are never dropped. */
  run(command: WindowCommand): void {
    if (this.#state.kind === 'detached') {
      this.#state = { kind: 'detached', commands: [...this.#state.commands, command] };
      return;
    }
    this.flush();
    this.#options.send('command.run', command);
  }

  /** True while a window is listening. */
  get attached(): boolean {
    return this.#state.kind !== 'detached';
  }

  /** Called when the window has loaded and has the whole state. */
  attach(): void {
    const waiting = this.#state.kind === 'detached' ? this.#state.commands : [];
    if (this.#state.kind === 'detached') this.#state = { kind: 'idle' };
    for (const command of waiting) this.#options.send('command.run', command);
  }

  /** Called when the window is gone or reloading. */
  detach(): void {
    if (this.#state.kind === 'waiting') this.#state.timer.dispose();
    if (this.#state.kind !== 'detached') this.#state = { kind: 'detached', commands: [] };
  }

  /** Sends waiting events now: state older than an answer must not arrive after it. */
  flush(): void {
    if (this.#state.kind !== 'waiting') return;
    const { batch, timer } = this.#state;
    timer.dispose();
    this.#state = { kind: 'idle' };
    for (const event of batchEvents(batch)) this.#send(event);
  }

  #send<N extends BatchedEvent['name']>(event: { readonly name: N; readonly payload: IpcEvent<N> }): void {
    this.#options.send(event.name, event.payload);
  }
}

const batchMs = 50;
