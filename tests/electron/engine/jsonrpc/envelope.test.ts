import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readByteMessage } from '../../../../electron/engine/jsonrpc/byte-message.ts';
import { parts, scanEnvelope } from '../../../../electron/engine/jsonrpc/envelope.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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

/** Names of members of the message itself. */
const outer = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

describe('[FR-008] the envelope of a message', () => {
  it('is found in every object that JSON.parse accepts, and nowhere else', () => {
    let whole = 0;
    fc.assert(
      fc.property(message, change, (text, changed) => {
        const at = (changed?.at ?? 0) % (text.length + 1);
        const changedText = text.slice(0, at) + (changed?.text ?? '') + text.slice(at);
        const bytes = Buffer.from(changedText);
        const offsets = scanEnvelope(bytes);
        if (offsets === undefined) return;
        whole += 1;
        expect(parses(changedText)).toBe(true);
        const value = JSON.parse(changedText) as Readonly<Record<string, unknown>>;
        for (const name of outer) {
          const [start, end] = offsets.slice(parts[name]);
          const found = start === -1 ? undefined : JSON.parse(bytes.toString('utf8', start, end));
          expect(found).toEqual(value[name]);
        }
      }),
      { numRuns: 2000 },
    );
    expect(whole).toBeGreaterThan(200);
  });

  it('[EDGE-2] is found however deeply the payload is nested', () => {
    const deep = `${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`;
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${deep}}`);
    const [start, end] = scanEnvelope(bytes)?.slice(parts.result) ?? [];
    expect(bytes.toString('utf8', start, end)).toBe(deep);
  });
});

describe('[FR-008] what is in a message', () => {
  const params = `{ "name": "a__x", "arguments": {"text":"${'y'.repeat(200)}", "n": -0, "m": 1e400 }, "_meta": {"progressToken": "p\\u00fc"} }`;
  const bytes = Buffer.from(
    `{ "method": "tools/call", "params": ${params} ,"jsonrpc":"2.0", "id": "an id" }\n`,
  );

  it('stays unchanged, also after replacing id and name', () => {
    const changes = { id: '12', params: { name: '"x"', metaToken: '3' } };
    const read = readByteMessage(bytes);
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
    const expected = bytes
      .toString()
      .replace('"an id"', '12')
      .replace('"a__x"', '"x"')
      .replace('"p\\u00fc"', '3');
    expect(read?.with(changes).line().toString()).toBe(expected);
    expect(read?.with(changes).with({ id: '"an id"' }).paramText('name')).toBe('"x"');
  });

  it('distinguishes notifications, results, errors and anything else', () => {
    const kinds = {
      '{"jsonrpc":"2.0","method":"x","params":{}}': 'notification',
      '{"jsonrpc":"2.0","id":1,"result":[1,2]}': 'result',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}': 'failure',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1}}': undefined,
      '{"jsonrpc":"2.0","id":1,"method":"x","params":[]}': undefined,
      '{"jsonrpc":"1.0","id":1,"result":1}': undefined,
      '{"jsonrpc":"2.0","id":1.5,"method":"x"}': 'request',
      '{"jsonrpc":"2.0","id":1e400,"result":1}': undefined,
    };
    for (const [text, kind] of Object.entries(kinds)) {
      expect(readByteMessage(Buffer.from(text))?.kind, text).toBe(kind);
    }
  });
});
