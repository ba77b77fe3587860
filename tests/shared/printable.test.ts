import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableLines, printableWord } from '../../shared/printable.ts';

const evil =
  '\u001b[31mRED\u001b]0;title\u0007 \u202eRTL\u2066\u200f\u009b2J\u2028\u{E0041}\r\nok  999 tools\tend';
const obeyed = /(?![\n\t])\p{Cc}|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

describe('text for a terminal', () => {
  it('[PB-SAFE-2] escapes what a terminal would interpret, and leaves all other text as it is', () => {
    const text = printable(evil);
    expect(text).not.toMatch(obeyed);
    expect(text).toContain('\\u001b[31mRED');
    expect(text).toContain('\\udb40\\udc41\\r\nok');
    const plain = 'Grüße, 世界 👩‍👩‍👧 مرحبا\n\tא';
    expect(printable(plain)).toBe(plain);
  });

  it('[PB-SAFE-2] lets no text start a line of its own', () => {
    expect(printableWord(evil)).not.toMatch(/\n|\t/);
    expect(printableLines(`error: ${evil}`)).toContain('\n  ok  999 tools');
  });

  it('[PB-SAFE-2] leaves JSON equivalent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printable(JSON.stringify({ [text]: text }));
        expect(shown).not.toMatch(obeyed);
        expect(JSON.parse(shown)).toEqual({ [text]: text });
      }),
    );
    expect(JSON.parse(printable(JSON.stringify(evil)))).toBe(evil);
  });

  it('[PB-SAFE-2] is the only text that a command writes', () => {
    const folder = join(import.meta.dirname, '../../electron/cli');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const writers = files.filter((name) =>
      /std(?:out|err)\.write\(/.test(readFileSync(join(folder, name), 'utf8')),
    );
    // Apart from print.ts, the two others write only our own texts.
    expect(writers.map((name) => basename(name)).sort()).toEqual([
      'print.ts',
      'read-secret.ts',
      'watch-output.ts',
    ]);
  });
});
