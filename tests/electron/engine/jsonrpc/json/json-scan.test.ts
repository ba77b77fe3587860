import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BROKEN, skipValue } from '../../../../../electron/engine/jsonrpc/json/json-scan.ts';

/** Places the bytes at every offset from a word boundary, with bytes before and after them. */
function placed(text: string, skew: number): { readonly bytes: Uint8Array; readonly at: number } {
  const json = Buffer.from(text);
  const memory = Buffer.alloc(json.length + skew + 8, 0x20);
  json.copy(memory, skew + 1);
  return { bytes: memory.subarray(skew), at: 1 };
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Long runs between special characters, to cover both ways of scanning a string. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 150 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom('\\', '"', '\n', '\u0000', '\u001f', '\u007f', '\u2028') },
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(text, text, { maxKeys: 3 }));

describe('[FR-008] the end of a value', () => {
  it('is where JSON.stringify put it, wherever the bytes lie', () => {
    fc.assert(
      fc.property(value, fc.nat(7), (some, skew) => {
        const json = JSON.stringify(some);
        const { bytes, at } = placed(json, skew);
        expect(skipValue(bytes, at)).toBe(at + Buffer.byteLength(json));
      }),
      { numRuns: 500 },
    );
  });

  it('is not found in what JSON.parse refuses', () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.constantFrom('"', '\\', '\n', '\u0001', 'u', 'x', '', 'é'),
    });
    fc.assert(
      fc.property(text, change, fc.nat(3), (some, { at, byte }, skew) => {
        const json = JSON.stringify(some);
        const cut = at % json.length;
        const changed = json.slice(0, cut) + byte + json.slice(cut + 1);
        const { bytes, at: start } = placed(changed, skew);
        const end = skipValue(bytes, start);
        const isWhole = end !== BROKEN && end - start === Buffer.byteLength(changed);
        expect(isWhole).toBe(parses(changed));
      }),
      { numRuns: 2000 },
    );
  });
});
