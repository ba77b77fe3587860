import { type Clock, systemClock } from '../../base/clock.ts';
import { createLineFramer, type LineFramer } from '../../jsonrpc/json/line-framer.ts';
import { leftOutText, Portions } from '../log/portions.ts';

export interface PacedLines {
  push(chunk: Buffer): void;
  /** Passes on all that waits. */
  end(): void;
}

/** Splits a program's log output into lines, passed on in {@link Portions}. Long lines are cut. */
export function createPacedLines(line: (text: string) => void, clock: Clock = systemClock): PacedLines {
  return new Paced(line, clock);
}

class Paced implements PacedLines {
  readonly #line: (text: string) => void;
  readonly #portions: Portions<Buffer>;
  #framer: LineFramer;
  /** Bytes left out since the last line that was passed on. */
  #lost = 0;

  constructor(line: (text: string) => void, clock: Clock) {
    this.#line = line;
    this.#framer = this.#newFramer();
    this.#portions = new Portions({
      clock,
      size: ({ length }) => length,
      pass: (chunk, lost) => this.#pass(chunk, lost),
    });
  }

  push(chunk: Buffer): void {
    this.#portions.push(chunk);
  }

  end(): void {
    this.#portions.end();
    if (this.#lost > 0) this.#reportLoss();
    this.#framer.end();
  }

  #pass(chunk: Buffer, lost: number): void {
    this.#lost += lost;
    if (this.#lost === 0) {
      this.#framer.push(chunk);
      return;
    }
    // A line with a gap is left out as well: a secret that is cut could not be masked.
    const end = chunk.indexOf('\n') + 1;
    this.#lost += end === 0 ? chunk.length : end;
    if (end === 0) return;
    this.#reportLoss();
    this.#framer.push(chunk.subarray(end));
  }

  #reportLoss(): void {
    this.#framer = this.#newFramer();
    this.#line(leftOutText(this.#lost));
    this.#lost = 0;
  }

  #newFramer(): LineFramer {
    return createLineFramer({
      maxLineBytes,
      line: this.#line,
      // Only the head is shown, and it may end with half a secret.
      oversize: ({ size, head }) => this.#line(`(${size} bytes in this line) ${head}`),
    });
  }
}

const maxLineBytes = 16 * 1024;
