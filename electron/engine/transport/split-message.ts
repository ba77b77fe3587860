import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import {
  BROKEN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  skipString,
} from '../rpc/json-scan.ts';
import { withoutPrefix } from '../rpc/odd-message.ts';

export interface SplitMessageOptions {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** Called with the lines so far when they cannot become a message. */
  readonly giveUp: (lines: Buffer) => void;
}

interface CompletedMessage {
  readonly whole: Buffer;
  /** Bytes that follow it on its last line. */
  readonly rest: Buffer;
}

/** Joins a JSON object or array that was written over several lines. */
export class SplitMessage {
  readonly #options: SplitMessageOptions;
  #lines: Buffer[] = [];
  #size = 0;
  #depth = 0;
  #lastLineAt = 0;
  #timer: Disposable | undefined;

  constructor(options: SplitMessageOptions) {
    this.#options = options;
  }

  /**
   * Adds a line that is not a message. Returns `part` if more is to come, the joined message once it ends, or
   * undefined for any other line.
   */
  add(line: Buffer): CompletedMessage | 'part' | undefined {
    const isFirst = this.#lines.length === 0;
    const bytes = isFirst ? withoutPrefix(line) : line;
    const mayBePart = isFirst ? startsValue(bytes) : continuesValue(bytes);
    const { depth, end } = mayBePart ? readLevels(bytes, this.#depth) : broken;
    const isTooLong = this.#size + line.length > this.#options.maxBytes;
    if (depth === BROKEN || isTooLong || (isFirst && depth === 0)) {
      this.abandon();
      return undefined;
    }
    this.#lines.push(bytes.subarray(0, end));
    this.#size += end;
    this.#depth = depth;
    if (depth === 0) return { whole: this.#take(), rest: bytes.subarray(end) };
    this.#lastLineAt = this.#options.clock.uptime();
    this.#timer ??= this.#wait(lineTimeoutMs);
    return 'part';
  }

  isEndedBy(line: Buffer): boolean {
    return this.#lines.length > 0 && readLevels(line, this.#depth).depth === 0;
  }

  /** Gives up a partial message, if there is one. */
  abandon(): void {
    if (this.#lines.length > 0) this.#options.giveUp(this.#take());
  }

  #wait(milliseconds: number): Disposable {
    return this.#options.clock.after(milliseconds, () => {
      const left = this.#lastLineAt + lineTimeoutMs - this.#options.clock.uptime();
      if (left > 0) this.#timer = this.#wait(left);
      else this.abandon();
    });
  }

  #take(): Buffer {
    const whole = Buffer.concat(this.#lines, this.#size);
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#lines = [];
    this.#size = 0;
    this.#depth = 0;
    return whole;
  }
}

/** Milliseconds without another line. */
const lineTimeoutMs = 3000;

/** Returns true if an object or array starts the way indented JSON does, unlike text in brackets. */
function startsValue(line: Buffer): boolean {
  const next = line[skipSpace(line, 1)];
  if (line[0] === OPEN_BRACE) return next === undefined || next === QUOTE;
  return line[0] === OPEN_BRACKET && (next === undefined || next === OPEN_BRACE);
}

/** Returns true if the line starts with a JSON value, or with a word that other languages write instead. */
function continuesValue(line: Buffer): boolean {
  const start = skipSpace(line, 0);
  return start === line.length || continuation.test(line.toString('latin1', start, start + maxWordLength));
}

const continuation = /^(?:[-"{}[\],:\d]|true|false|null|NaN|Infinity|undefined|None|True|False)/;
const maxWordLength = 16;

interface Levels {
  /**
   * Number of open levels at the end, 0 once the outermost is closed; BROKEN if a string does not end on the
   * line.
   */
  readonly depth: number;
  /** Position after the outermost value, or the end of the line. */
  readonly end: number;
}

const broken: Levels = { depth: BROKEN, end: 0 };

function readLevels(line: Buffer, before: number): Levels {
  let depth = before;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === QUOTE) {
      const end = skipString(line, at);
      if (end === BROKEN) return broken;
      at = end - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth <= 0) return { depth, end: at + 1 };
    }
  }
  return { depth, end: line.length };
}
