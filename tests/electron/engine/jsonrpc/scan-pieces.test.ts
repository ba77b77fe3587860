import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readByteMessage, readPieces } from '../../../../electron/engine/jsonrpc/byte-message.ts';
import { scanEnvelope } from '../../../../electron/engine/jsonrpc/envelope.ts';
import { scanPieces } from '../../../../electron/engine/jsonrpc/scan-pieces.ts';

/** Cuts the bytes at these places, in any order. */
function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends
    .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
}

const name = fc.constantFrom(
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'name', 'arguments', '_meta', 'uri', 'ref'],
  ...['progressToken', 'task', 'patchbay/idempotencyKey', 'other', 'n\\u0061me', 'ключ', ''],
);
const scalar = fc.constantFrom(
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '1e400',
    '12.5E-3',
    '123456789012345678901',
    '"2.0"',
    '""',
    '"a\\"b\\\\"',
  ],
  ...[
    '"\\ud83d"',
    '"\u2028é😀"',
    `"${'long and plain '.repeat(9)}"`,
    `"${'with\\n lines\\t'.repeat(9)}"`,
    '[]',
    '{}',
  ],
  ...['01', '1.', '-', 'tru', '+1', '"\u0001"', '"\\x"', '1e', '.5', 'nul1'],
);
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r ');
/** Generates JSON text, sometimes broken, with the tracked members at every level, also repeated. */
const { message } = fc.letrec<{ value: string; message: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    tie('message'),
    fc
      .tuple(space, fc.array(tie('value'), { maxLength: 3 }))
      .map(([s, items]) => `[${s}${items.join(`,${s}`)}${s}]`),
  ),
  message: fc
    .tuple(space, fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }))
    .map(([s, all]) => `{${s}${all.map(([key, value]) => `"${key}"${s}:${s}${value}`).join(`${s},`)}${s}}`),
}));
const change = fc.option(
  fc.record({ at: fc.nat(), text: fc.constantFrom('"', '\\', '}', ',', '{', ' ', '1', '') }),
  { freq: 3 },
);

describe('[FR-008] a message in pieces', () => {
  it('reads the same as one buffer, wherever it is cut', () => {
    let whole = 0;
    fc.assert(
      fc.property(message, change, fc.array(fc.nat(), { maxLength: 6 }), (text, changed, places) => {
        const at = (changed?.at ?? 0) % (text.length + 1);
        const bytes = Buffer.from(text.slice(0, at) + (changed?.text ?? '') + text.slice(at));
        const expected = scanEnvelope(bytes);
        if (expected !== undefined) whole += 1;
        expect(scanPieces(cutAt(bytes, places))).toEqual(expected);
      }),
      { numRuns: 5000 },
    );
    expect(whole).toBeGreaterThan(500);
  });

  it('reads the same byte by byte, and when it is mostly structure', () => {
    const many = JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      result: Array.from({ length: 3000 }, (_, n) => [n, 'x', {}]),
    });
    const few = JSON.stringify({
      jsonrpc: '2.0',
      method: 'a',
      params: { name: 'n', arguments: { t: '\\u00e9\n'.repeat(40) } },
      id: 'x',
    });
    for (const text of [many, few]) {
      const bytes = Buffer.from(`${text}\n`);
      const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
      expect(scanPieces(pieces)).toEqual(scanEnvelope(bytes));
      expect(scanEnvelope(bytes)).toBeDefined();
    }
  });

  it('[EDGE-2] reads the same however deeply it is nested', () => {
    const deep = Buffer.from(
      `{"jsonrpc":"2.0","id":1,"result":${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}}`,
    );
    expect(scanPieces(cutAt(deep, [100, 30_001, 40_002]))).toEqual(scanEnvelope(deep));
  });
});

describe('[FR-008] what is in a long message', () => {
  const params = `{ "name": "a__x", "arguments": {"text":"${'y'.repeat(200)}", "n": -0, "m": 1e400 }, "_meta": {"progressToken": "p\\u00fc"} }`;
  const bytes = Buffer.from(
    `{ "method": "tools/call", "params": ${params} ,"jsonrpc":"2.0", "id": "an id" }\n`,
  );

  it('stays unchanged wherever the message is cut, also after replacing id and name', () => {
    const changes = { id: '12', params: { name: '"x"', metaToken: '3' } };
    const expected = readByteMessage(bytes)?.with(changes).line().toString();
    expect(expected).toContain('{"text":"yy');
    for (let first = 0; first <= bytes.length; first += 1) {
      const read = readPieces(cutAt(bytes, [first, first + 40, first + 41]));
      expect(read).toMatchObject({
        kind: 'request',
        id: 'an id',
        method: 'tools/call',
        idText: '"an id"',
        byteLength: bytes.length,
      });
      expect(read?.paramsBytes?.toString()).toBe(params);
      expect(read?.paramText('name')).toBe('"a__x"');
      expect(read?.param('metaToken')).toBe('pü');
      expect(read?.line().equals(bytes)).toBe(true);
      expect(read?.with(changes).line().toString()).toBe(expected);
      expect(read?.with(changes).with({ id: '"an id"' }).paramText('name')).toBe('"x"');
    }
  });

  it('distinguishes notifications, results, errors and anything else', () => {
    const kinds = {
      '{"jsonrpc":"2.0","method":"x","params":{}}': 'notification',
      '{"jsonrpc":"2.0","id":1,"result":[1,2]}': 'result',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}': 'failure',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1}}': undefined,
      '{"jsonrpc":"2.0","id":1,"method":"x","params":[]}': undefined,
      '{"jsonrpc":"1.0","id":1,"result":1}': undefined,
      '{"jsonrpc":"2.0","id":1.5,"result":1}': undefined,
    };
    for (const [text, kind] of Object.entries(kinds)) {
      expect(readPieces(cutAt(Buffer.from(text), [9, 20, 30]))?.kind, text).toBe(kind);
    }
  });
});
