import { findId, withId } from './envelope.mjs';
import { lineSplitter } from './lines.mjs';

const NEWLINE = Buffer.from('\n');

/**
 * The least that must be done between a client and a server: another id in place of the client's on the way in, the
 * client's own on the way out, by the bytes. `onAnswer(context, pieces)` gets an answer with what `forward` was given;
 * `onBatch` is told when all answers that came together were handed over.
 */
export function forwarder(child, onAnswer, onBatch = () => {}) {
  const waiting = new Map();
  let nextId = 1;
  const split = lineSplitter((pieces) => {
    const found = findId(pieces);
    const request = waiting.get(found?.id);
    if (request === undefined) return;
    waiting.delete(found.id);
    onAnswer(request.context, withId(pieces, found, request.clientId));
  });
  child.stdout.on('data', (chunk) => {
    split(chunk);
    onBatch();
  });

  /** Writes one message on; false for one without an id, which has no answer. */
  return function forward(pieces, out, context) {
    const found = findId(pieces);
    if (found === undefined) {
      out.line(pieces);
      return false;
    }
    const id = nextId++;
    waiting.set(id, { clientId: found.id, context });
    out.line(withId(pieces, found, id));
    return true;
  };
}

/** Writes lines to a stream, those of one batch at once: what costs is the number of writes. */
export function lineWriter(stream) {
  let pieces = [];
  return {
    line: (parts) => void pieces.push(...parts, NEWLINE),
    flush() {
      if (pieces.length === 0) return;
      const batch = pieces;
      pieces = [];
      if (batch.reduce((sum, { length }) => sum + length, 0) < 64 * 1024)
        return void stream.write(Buffer.concat(batch));
      stream.cork();
      for (const piece of batch) stream.write(piece);
      stream.uncork();
    },
  };
}
