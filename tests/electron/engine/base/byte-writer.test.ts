import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../../electron/engine/base/byte-writer.ts';

describe('a byte writer', () => {
  it('returns what was added, in order, in memory of its own', () => {
    const writer = new ByteWriter();
    expect(writer.addText('häß €😀')).toBe(Buffer.byteLength('häß €😀'));
    expect(writer.addBytes(Buffer.from([1, 2, 3]))).toBe(3);
    const taken = writer.take();
    writer.addText('later');
    expect(Buffer.from(taken)).toEqual(Buffer.concat([Buffer.from('häß €😀'), Buffer.from([1, 2, 3])]));
    expect(taken.buffer.byteLength).toBe(taken.length);
  });

  it('grows as needed, and begins again when taken or cleared', () => {
    const writer = new ByteWriter();
    const long = 'x'.repeat(1_000_000);
    for (let count = 0; count < 3; count += 1) writer.addText(long);
    expect(writer.length).toBe(3_000_000);
    expect(Buffer.from(writer.take()).toString()).toBe(long.repeat(3));
    writer.addText('a');
    writer.clear();
    writer.addText('b');
    expect(Buffer.from(writer.take()).toString()).toBe('b');
  });
});
