import { describe, expect, it } from 'vitest';
import { maskJson } from '../../../../electron/engine/base/mask/mask-json.ts';
import { maskCertain, maskText } from '../../../../electron/engine/base/mask/mask-text.ts';
import { redactText } from '../../../../electron/engine/base/mask/redact-log.ts';
import { embeddedSecrets, maskedParts } from '../../../../electron/engine/base/mask/secret-parts.ts';
import { urlsIn } from '../../../../electron/engine/base/mask/urls.ts';
import { secretsOf } from '../../../../electron/engine/servers/log/secret-values.ts';
import { printable } from '../../../../shared/printable.ts';

const entry = (value: string) =>
  secretsOf({
    target: {
      ok: true,
      value: {
        kind: 'stdio',
        command: 'x',
        args: [value, `--key=${value}`],
        env: { BLOB: value, API_KEY: value },
      },
    },
  });

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  maskText,
  maskCertain,
  maskJson,
  'maskJson of a member': (text) => maskJson(JSON.stringify({ password: text, text })),
  printable,
  redactText,
  embeddedSecrets,
  toldParts: maskedParts,
  addressesIn: (text) => [...urlsIn(text)],
  'secrets of an entry': entry,
};

/** Patterns to repeat. */
const pieces = [
  'x',
  'a1',
  'A0',
  '_',
  '-',
  '=',
  ':',
  '"',
  "'",
  '\\',
  '{',
  '[',
  '<',
  '/',
  '@',
  '?',
  '&',
  '%',
  '$',
  '•',
  '\u001b',
  '\n',
  ' \t',
  'a=',
  'token=',
  'token="',
  "token='",
  'token:{',
  'password: ',
  'a://',
  'a://u:',
  'a://?',
  'a://?token=',
  'u:p@',
  'a://u:p@h',
  'a://u:p@h/,',
  'a://h/p?q#',
  'a://h:1/@',
  '--token ',
  '--a',
  '<token>',
  'bearer ',
  '-----BEGIN PRIVATE KEY-----',
  '{"a":',
  '["',
  '{"token":"',
  'a[b]',
  'a-',
  'Ab1',
  'a.b',
  'a b=',
  '://',
];

/** Measures the CPU time of a read, since other work may occupy the processor. */
function milliseconds(read: (text: string) => unknown, text: string): number {
  const tries = [0, 1].map(() => {
    const start = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...tries);
}

describe('readers of external texts', () => {
  it.each(Object.entries(readers))(
    '[NFR-R3] takes time that grows with the text: %s',
    (_, read) => {
      for (const piece of pieces) {
        const text = (length: number) => piece.repeat(length / piece.length);
        const [one, eight] = [milliseconds(read, text(5_000)), milliseconds(read, text(40_000))];
        // Quadratic time would be 64 times as long; short times are too noisy to measure.
        expect(eight, `${JSON.stringify(piece)}: ${one} ms, then ${eight} ms`).toBeLessThan(
          24 * Math.max(one, 15),
        );
      }
    },
    120_000,
  );
});
