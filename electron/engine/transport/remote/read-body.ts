import type { RawMessage } from '../../rpc/raw-message.ts';
import { readMessages as readLine } from '../../rpc/read-message.ts';
import { onOneLine } from '../one-line.ts';

/** The messages of a JSON body, as they came; an older revision allows several in one array. Empty for anything else. */
export function readMessages(body: Buffer): readonly RawMessage[] {
  return readLine(onOneLine(body), 'server');
}

/** The whole body; rejects when it is longer than `limit` bytes. */
export async function readWhole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw new RangeError(`The answer is longer than ${limit} bytes`);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? asBuffer(only) : Buffer.concat(chunks, length);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
