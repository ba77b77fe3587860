import type { Readable } from 'node:stream';

export interface FirstLineOptions {
  /** Longest line accepted, in bytes. */
  readonly maxBytes: number;
  /** Aborts the wait; the promise rejects with its reason. */
  readonly signal: AbortSignal;
}

/** The first line of a stream, without its end; what follows stays in the stream for the next reader. */
export function readFirstLine(stream: Readable, { maxBytes, signal }: FirstLineOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    let collected = Buffer.alloc(0);
    const finish = (settle: () => void) => {
      stream.off('readable', read).off('end', ended).off('close', ended).off('error', fail);
      signal.removeEventListener('abort', aborted);
      settle();
    };
    const fail = (error: unknown) => finish(() => reject(error));
    const ended = () => fail(new Error('The stream ended before its first line did.'));
    const aborted = () => fail(signal.reason);
    const read = () => {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
        collected = Buffer.concat([collected, chunk]);
        const end = collected.indexOf(lineFeed);
        if ((end === -1 ? collected.length : end) > maxBytes) {
          return fail(new Error(`The first line is longer than ${maxBytes} bytes.`));
        }
        if (end === -1) continue;
        const rest = collected.subarray(end + 1);
        if (rest.length > 0) stream.unshift(rest);
        return finish(() => resolve(collected.toString('utf8', 0, end)));
      }
    };
    if (signal.aborted) return reject(signal.reason);
    stream.on('readable', read).on('end', ended).on('close', ended).on('error', fail);
    signal.addEventListener('abort', aborted, { once: true });
  });
}

const lineFeed = 0x0a;
