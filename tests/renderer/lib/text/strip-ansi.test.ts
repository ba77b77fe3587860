import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripAnsi } from '../../../../renderer/lib/text/strip-ansi.ts';

const esc = '\u001b';

describe('terminal codes in a log', () => {
  it.each([
    [`${esc}[33mwarn${esc}[0m text`, 'warn text'],
    [`${esc}[38;5;196mred${esc}[m`, 'red'],
    [`${esc}]8;;https://example.com${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    [`${esc}]0;title\u0007after`, 'after'],
    [`progress\r${esc}[2K100%`, 'progress100%'],
    ['plain\ttext', 'plain\ttext'],
  ])('are removed from %j', (text, plain) => {
    expect(stripAnsi(text)).toBe(plain);
  });

  it('leave no control character behind, whatever the input', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(esc, '[', ']', '3', 'm', ';', '\u0007', 'a', '\t') }),
        (text) => {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: checks that control characters are gone
          expect(stripAnsi(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
        },
      ),
    );
  });
});
