import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeCall, messageLength } from '../../../../electron/main/tray/dbus-message.ts';

// Compares with the library's own marshalling, which it does not export.
const library = createRequire(import.meta.url)('dbus-next/lib/message.js') as {
  marshall(message: Readonly<Record<string, unknown>>): readonly [Buffer, readonly unknown[]];
  unmarshall(buffer: Buffer): Readonly<Record<string, unknown>>;
};

const name = fc.stringMatching(/^[a-z]{1,12}\.[a-zA-Z]{1,12}$/);
const path = fc.stringMatching(/^(\/[a-zA-Z0-9]{1,9}){1,4}$/);
const member = fc.stringMatching(/^[A-Z][a-zA-Z]{0,20}$/);
const args = fc.array(
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  { minLength: 1, maxLength: 4 },
);
const call = fc.record({ destination: name, path, interface: name, member, args });

describe('a D-Bus call', () => {
  it('[PB-TRAY-1] is decoded correctly by another implementation', () => {
    fc.assert(
      fc.property(call, fc.integer({ min: 1, max: 0xffffffff }), (meant, serial) => {
        const bytes = encodeCall(meant, serial);
        expect(messageLength(bytes)).toBe(bytes.length);
        const read = library.unmarshall(bytes);
        expect(read).toMatchObject({
          type: 1,
          serial,
          destination: meant.destination,
          path: meant.path,
          interface: meant.interface,
          member: meant.member,
        });
        expect(read.body).toEqual(meant.args);
      }),
    );
  });
});

describe('a D-Bus message', () => {
  it('[PB-TRAY-1] without arguments has no body', () => {
    const hello = { destination: 'a.b', path: '/a', interface: 'a.b', member: 'Hello', args: [] };
    const bytes = encodeCall(hello, 1);
    expect(messageLength(bytes)).toBe(bytes.length);
    expect(decodeMessage(bytes)).toEqual({ kind: 'call', member: 'Hello' });
  });

  it.each([
    [
      'a true flag',
      { type: 2, replySerial: 7, signature: 'v', body: [['b', true]] },
      { kind: 'return', replyTo: 7, flag: true },
    ],
    [
      'a false flag',
      { type: 2, replySerial: 7, signature: 'v', body: [['b', false]] },
      { kind: 'return', replyTo: 7, flag: false },
    ],
    [
      'another variant',
      { type: 2, replySerial: 8, signature: 'v', body: [['s', 'true']] },
      { kind: 'return', replyTo: 8 },
    ],
    ['an empty answer', { type: 2, replySerial: 9 }, { kind: 'return', replyTo: 9 }],
    [
      'an error',
      { type: 3, replySerial: 7, errorName: 'a.b', signature: 's', body: ['no'] },
      { kind: 'error', replyTo: 7 },
    ],
    [
      'a signal',
      { type: 4, path: '/a', interface: 'a.b', member: 'Changed', signature: 'sss', body: ['x', '', ':1'] },
      { kind: 'signal', member: 'Changed' },
    ],
  ])('[PB-TRAY-1] with %s is understood', (_case, fields, expected) => {
    const [bytes] = library.marshall({ serial: 3, ...fields });
    expect(messageLength(bytes)).toBe(bytes.length);
    expect(decodeMessage(bytes)).toEqual(expected);
  });

  it('[PB-TRAY-1] that is incomplete has no length yet', () => {
    expect(messageLength(Buffer.from('l\x02'))).toBeUndefined();
  });
});
