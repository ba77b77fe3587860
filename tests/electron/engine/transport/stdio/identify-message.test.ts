import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifyMessage } from '../../../../../electron/engine/transport/stdio/identify-message.ts';

const ends = (text: string) => identifyMessage(text.slice(0, 512), text.slice(-512));

describe('identifying a message by its ends', () => {
  it('[EDGE-2] finds kind and id wherever libraries put them', () => {
    const big = { text: 'x'.repeat(2000), id: 99, method: 'inner' };
    const cases: [object, unknown][] = [
      [
        { jsonrpc: '2.0', id: 7, result: big },
        { kind: 'answer', id: 7 },
      ],
      [
        { id: 'a"b', jsonrpc: '2.0', error: big },
        { kind: 'answer', id: 'a"b' },
      ],
      [
        { result: big, jsonrpc: '2.0', id: 8 },
        { kind: 'answer', id: 8 },
      ],
      [
        { jsonrpc: '2.0', result: big, id: 'z' },
        { kind: 'answer', id: 'z' },
      ],
      [
        { jsonrpc: '2.0', id: 9, method: 'm', params: big },
        { kind: 'request', id: 9 },
      ],
      [
        { method: 'm', params: big, jsonrpc: '2.0', id: 10 },
        { kind: 'request', id: 10 },
      ],
      [{ jsonrpc: '2.0', method: 'm', params: big }, undefined],
      [{ jsonrpc: '2.0', result: big }, undefined],
      [{ jsonrpc: '2.0', result: { id: 5 } }, undefined],
      [{ level: 'info', id: 3 }, undefined],
      [[{ jsonrpc: '2.0', id: 1, result: big }], undefined],
    ];
    for (const [message, expected] of cases) {
      expect(ends(JSON.stringify(message))).toEqual(expected);
      expect(ends(JSON.stringify(message, null, 1).replaceAll('\n', ''))).toEqual(expected);
    }
  });

  it('[PB-ISO-1] never takes an id from inside a value', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, fc.string(), fc.integer(), (inner, key, id) => {
        const text = JSON.stringify({ jsonrpc: '2.0', result: { [key]: inner, text: `,"id":${id}}`, id } });
        expect(ends(text)).toBeUndefined();
        const answer = JSON.stringify({ jsonrpc: '2.0', id: 'mine', result: { [key]: inner, id } });
        expect(ends(answer)).toEqual({ kind: 'answer', id: 'mine' });
      }),
    );
  });
});
