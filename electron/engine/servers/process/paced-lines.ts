import { formatBytes } from '../../../../shared/model/amount.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { createLineFramer, type LineFramer } from '../../jsonrpc/json/line-framer.ts';

export interface PacedLines {
  push(chunk: Buffer): void;
  /** Passes on all that waits. */
  end(): void;
}

/**
 * Splits a program's log output into lines and passes them on in portions, so that masking them leaves time
 * for calls. Accepts everything at once: of a flood, the newest bytes wait, no more than a log keeps, and the
 * oldest are left out by whole lines. Long lines are cut.
 */
export function createPacedLines(line: (text: string) => void, clock: Clock = systemClock): PacedLines {
  return new Paced(line, clock);
}

class Paced implements PacedLines {
  readonly #line: (text: string) => void;
  readonly #clock: Clock;
  #framer: LineFramer;
  #waiting: Buffer[] = [];
  /** Bytes that wait. */
  #size = 0;
  /** Bytes that may still be passed on before the next portion. */
  #left = portionBytes;
  #timer: Disposable | undefined;
  /** Bytes left out since the last line that was passed on. */
  #lost = 0;

  constructor(line: (text: string) => void, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    this.#framer = this.#newFramer();
  }

  push(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#size += chunk.length;
    while (this.#size > maxWaitingBytes) this.#lost += this.#take().length;
    this.#passPortion();
  }

  end(): void {
    this.#timer?.dispose();
    while (this.#waiting.length > 0) this.#pass(this.#take());
    if (this.#lost > 0) this.#reportLoss();
    this.#framer.end();
  }

  #passPortion(): void {
    while (this.#left > 0 && this.#waiting.length > 0) {
      const chunk = this.#take();
      this.#left -= chunk.length;
      this.#pass(chunk);
    }
    this.#timer ??= this.#clock.after(intervalMs, () => {
      this.#timer = undefined;
      this.#left = portionBytes;
      if (this.#waiting.length > 0) this.#passPortion();
    });
  }

  #take(): Buffer {
    const chunk = this.#waiting.shift() ?? Buffer.alloc(0);
    this.#size -= chunk.length;
    return chunk;
  }

  #pass(chunk: Buffer): void {
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
    this.#line(
      `(${formatBytes(this.#lost)} left out: the server logs faster than Patchbay can mask secrets)`,
    );
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

const intervalMs = 100;
const portionBytes = 64 * 1024;
const maxWaitingBytes = 512 * 1024;
const maxLineBytes = 16 * 1024;
