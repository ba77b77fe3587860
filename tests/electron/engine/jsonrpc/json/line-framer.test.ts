import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLineFramer,
  type OversizeLine,
} from '../../../../../electron/engine/jsonrpc/json/line-framer.ts';

function frame(chunks: readonly Buffer[], limits: { maxLineBytes?: number; maxNoiseBytes?: number } = {}) {
  const lines: string[] = [];
  const oversize: OversizeLine[] = [];
  const framer = createLineFramer({
    ...limits,
    line: (text) => lines.push(text),
    oversize: (line) => oversize.push(line),
  });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return { lines, oversize };
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  return [...chunks, bytes.subarray(start)];
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replaceAll(/[\r\n]/g, ' '));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 300 });

describe('line framer', () => {
  it('[FR-003] gives the same lines however the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        sizes,
        (lines, end, cuts) => {
          const bytes = Buffer.from(lines.map((line) => line + end).join(''));
          expect(frame(cut(bytes, cuts)).lines).toEqual(lines);
        },
      ),
    );
  });

  it('[FR-003] treats limits alike however the bytes are cut into chunks', () => {
    const line = fc
      .tuple(fc.constantFrom('{', '[', 'x', ''), fc.string({ maxLength: 60 }))
      .map((parts) => parts.join(''));
    const limits = { maxLineBytes: 40, maxNoiseBytes: 20 };
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), sizes, (lines, cuts) => {
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(''));
        expect(frame(cut(bytes, cuts), limits)).toEqual(frame([bytes], limits));
      }),
    );
  });

  it('[FR-008] does not split at U+2028, U+2029, NEL or a lone CR', () => {
    const line = '{"text":"a\u2028b\u2029c\u0085d\re"}';
    expect(frame([Buffer.from(`${line}\r\n`)]).lines).toEqual([line]);
  });

  it('takes what is left at the end without a newline as a line', () => {
    expect(frame([Buffer.from('{"a":1}\n{"b"'), Buffer.from(':2}')]).lines).toEqual(['{"a":1}', '{"b":2}']);
    expect(frame([Buffer.from('one\n')]).lines).toEqual(['one']);
  });

  it('[EDGE-2] carries a line of 50 MB that comes in small pieces', () => {
    const line = `{"text":"${'é'.repeat(25 * 1024 * 1024)}"}`;
    const bytes = Buffer.from(`${line}\n`);
    const chunks: Buffer[] = [];
    for (let start = 0; start < bytes.length; start += 8191) chunks.push(bytes.subarray(start, start + 8191));
    const { lines, oversize } = frame(chunks);
    expect(oversize).toEqual([]);
    expect(lines.length).toBe(1);
    expect(lines[0] === line).toBe(true);
  });

  it('[FR-009] skips a line over the limit, reports its size and ends, and reads on', () => {
    const long = `{"begin":"${'x'.repeat(3000)}","id":7}`;
    const { lines, oversize } = frame([Buffer.from(`{"a":1}\n${long}\n{"b":2}\n`)], { maxLineBytes: 1000 });
    expect(lines).toEqual(['{"a":1}', '{"b":2}']);
    expect(oversize).toEqual([
      { size: long.length, limit: 1000, head: long.slice(0, 512), tail: long.slice(-512) },
    ]);
  });

  it('[FR-009] keeps less of a line that cannot be a message', () => {
    const { lines, oversize } = frame([Buffer.from(`${'#'.repeat(70 * 1024)}\nok\n`)]);
    expect(lines).toEqual(['ok']);
    expect(oversize[0]).toMatchObject({ size: 70 * 1024, limit: 64 * 1024 });
  });

  it('[FR-009] reports an endless line once, when it ends', () => {
    const chunks = Array.from({ length: 100 }, () => Buffer.alloc(1000, '{'));
    const { lines, oversize } = frame(chunks, { maxLineBytes: 500 });
    expect(lines).toEqual([]);
    expect(oversize.map(({ size }) => size)).toEqual([100_000]);
  });
});
