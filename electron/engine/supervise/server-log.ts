import type { LogLine } from '../../../shared/model/server.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { ServerLog } from './contract.ts';
import { maskLogText } from './log-text.ts';

export interface ServerLogOptions {
  readonly clock: Clock;
  /** Replaces secrets before anything is stored. */
  readonly redact?: (text: string) => string;
  readonly limits?: Partial<LogLimits>;
}

interface LogLimits {
  readonly lines: number;
  /** Characters over all lines. */
  readonly size: number;
  /** Max lines passed to listeners at once; of a flood, only the newest. */
  readonly batch: number;
  /** Milliseconds between two batches. */
  readonly interval: number;
}

/** Creates an in-memory log, bounded in lines and size, that notifies its listeners in batches. */
export function createServerLog(options: ServerLogOptions): ServerLog {
  return new RingLog(options);
}

class RingLog implements ServerLog {
  readonly #clock: Clock;
  readonly #redact: (text: string) => string;
  readonly #limits: LogLimits;
  readonly #emitter = new Emitter<readonly LogLine[]>();
  #lines: LogLine[] = [];
  /** Index of the first line that belongs to the log; earlier ones are removed in bulk. */
  #first = 0;
  #size = 0;
  #seq = 0;
  #batch: { readonly timer: Disposable; readonly since: number } | undefined;

  constructor({ clock, redact = (text) => text, limits = {} }: ServerLogOptions) {
    this.#clock = clock;
    this.#redact = redact;
    this.#limits = { ...defaultLimits, ...limits };
  }

  get onLines() {
    return this.#emitter.event;
  }

  get lines(): readonly LogLine[] {
    return this.#lines.slice(this.#first);
  }

  append(stream: LogLine['stream'], text: string): void {
    const since = this.#seq + 1;
    // Lines of other streams were masked by their process; only the secrets of other processes may be left.
    const shown = stream === 'server' ? maskLogText(text, this.#redact) : this.#redact(text);
    for (const line of shown.split('\n')) this.#add(stream, line);
    this.#trim();
    this.#scheduleFlush(since);
  }

  clear(): void {
    this.#lines = [];
    this.#first = 0;
    this.#size = 0;
  }

  tail(count: number, stream: LogLine['stream'] = 'stderr'): readonly string[] {
    const found: string[] = [];
    for (let index = this.#lines.length - 1; index >= this.#first && found.length < count; index--) {
      const line = this.#lines[index];
      if (line?.stream === stream && line.text.trim() !== '') found.push(line.text);
    }
    return found.reverse();
  }

  #add(stream: LogLine['stream'], text: string): void {
    this.#lines.push({ seq: ++this.#seq, at: this.#clock.now(), stream, text });
    this.#size += text.length;
  }

  #trim(): void {
    const { lines, size } = this.#limits;
    while (this.#lines.length - this.#first > lines || this.#size > size) {
      this.#size -= this.#lines[this.#first]?.text.length ?? this.#size;
      this.#first++;
    }
    if (this.#first < lines) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }

  #scheduleFlush(since: number): void {
    if (this.#batch !== undefined || !this.#emitter.hasListeners) return;
    const timer = this.#clock.after(this.#limits.interval, () => this.#flush());
    this.#batch = { timer, since };
  }

  #flush(): void {
    const since = this.#batch?.since ?? this.#seq;
    this.#batch = undefined;
    const fresh = this.lines.filter((line) => line.seq >= since);
    if (fresh.length > 0) this.#emitter.fire(fresh.slice(-this.#limits.batch));
  }
}

const defaultLimits: LogLimits = { lines: 2000, size: 512 * 1024, batch: 500, interval: 100 };
