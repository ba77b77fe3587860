import { randomBytes } from 'node:crypto';
import { Emitter } from '../../base/emitter.ts';

/** An event for readers of the stream. */
export interface ApiEvent {
  readonly id: string;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** The subject; readers receive only events they may see. */
  readonly about: EventSubject;
}

export const eventTypes = [
  'mcp.tool_registered',
  'mcp.invocation_completed',
  'mcp.circuit_opened',
  'mcp.server_state_changed',
] as const;
export type EventType = (typeof eventTypes)[number];

export interface EventSubject {
  readonly serverKey: string;
  readonly tool?: string;
  readonly identityId?: string | undefined;
}

/** Keeps recent events, so that a disconnected reader can resume. */
export class EventLog {
  /** Distinguishes event ids of other runs of the hub. */
  readonly #run = randomBytes(4).toString('hex');
  readonly #recent: ApiEvent[] = [];
  readonly #max: number;
  readonly #added = new Emitter<ApiEvent>();
  #last = 0;

  constructor(max = maxEvents) {
    this.#max = max;
  }

  get onEvent() {
    return this.#added.event;
  }

  add(type: EventType, about: EventSubject, data: ApiEvent['data']): void {
    this.#last += 1;
    const event = { id: `${this.#run}-${this.#last}`, type, data, about };
    this.#recent.push(event);
    if (this.#recent.length > this.#max) this.#recent.splice(0, this.#recent.length - this.#max);
    this.#added.fire(event);
  }

  /** Returns the events after this one; undefined if it is too old or belongs to another run. */
  since(id: string): readonly ApiEvent[] | undefined {
    const [, run, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? [];
    const number = Number(digits);
    const first = this.#last - this.#recent.length;
    if (run !== this.#run || number < first || number > this.#last) return undefined;
    return this.#recent.slice(number - first);
  }

  dispose(): void {
    this.#added.dispose();
  }
}

const maxEvents = 1_000;
