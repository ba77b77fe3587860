import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMessage } from '../../../../electron/engine/jsonrpc/read-message.ts';
import { readResultStart } from '../../../../electron/engine/jsonrpc/result-start.ts';
import { jsonText, stringText } from '../../../helper/json-text.ts';

const read = (text: string) => readResultStart(Buffer.from(text));
const plainId = fc.oneof(
  fc.nat().map(String),
  fc.uuid().map((id) => `"${id}"`),
);
const anyId = fc.oneof(
  plainId,
  stringText(),
  fc.integer().map(String),
  fc.constantFrom('1e3', '-0', '12345678901234567890'),
);

it('[PB-PASS-1] reads the id of a result at its start, and passes it on to the byte', () => {
  fc.assert(
    fc.property(plainId, jsonText(3), (id, result) => {
      const text = `{"jsonrpc":"2.0","id":${id},"result":${result}}\n`;
      const message = read(text);
      expect(message?.kind).toBe('result');
      expect(message?.id).toBe(JSON.parse(id));
      expect(message?.line().toString('utf8')).toBe(text);
    }),
  );
});

it('never takes a result for the answer to another request', () => {
  fc.assert(
    fc.property(anyId, jsonText(3), (id, result) => {
      const text = `{"jsonrpc":"2.0","id":${id},"result":${result}}\n`;
      const message = read(text);
      if (message !== undefined) expect(message.id).toBe(readMessage(Buffer.from(text))?.id);
    }),
  );
});

it('reads the rest of a result when it is needed', () => {
  const message = read('{"jsonrpc":"2.0","id":"a","result":{"tools":[1]}}\n');
  expect(message?.resultBytes?.toString('utf8')).toBe('{"tools":[1]}');
  expect(message?.result).toEqual({ tools: [1] });
  expect(message?.with({ id: '7' }).line().toString('utf8')).toBe(
    '{"jsonrpc":"2.0","id":7,"result":{"tools":[1]}}\n',
  );
});

it('changes the id of a result without reading the rest', () => {
  const unread = '{"jsonrpc":"2.0","id":"a","result":{"text":never read}}\n';
  const changed = read(unread)?.with({ id: '"bé"' });
  expect(changed?.id).toBe('bé');
  expect(changed?.idText).toBe('"bé"');
  expect(changed?.line().toString('utf8')).toBe(unread.replace('"a"', '"bé"'));
  expect(changed?.byteLength).toBe(changed?.line().length);
  expect(() => changed?.result).toThrow('cannot be read');
});

it.each([
  ['last', '{"content":[never read],"resultType":"complete"}', '"complete"'],
  ['alone', '{"resultType":"complete"}', '"complete"'],
  ['first', '{"resultType":"complete","content":[]}', '"complete"'],
  ['absent', '{"content":[]}', undefined],
  ['another one', '{"content":[],"resultType":"task"}', '"task"'],
  ['not of the result', '{"structuredContent":{"resultType":"complete"}}', undefined],
  ['written in a text', String.raw`{"text":"\",\"resultType\":\"complete\"}}"}`, undefined],
  ['part of another name', String.raw`{"an \"resultType":"complete"}`, undefined],
])('knows the type of a result: %s', (_title, result, type) => {
  expect(read(`{"jsonrpc":"2.0","id":1,"result":${result}}\n`)?.resultType).toBe(type);
});

it.each([
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}\n'],
  ['a request', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"result":1}}\n'],
  ['members in another order', '{"id":1,"jsonrpc":"2.0","result":{}}\n'],
  ['another version', '{"jsonrpc":"2.1","id":1,"result":{}}\n'],
  ['an id with an escape', '{"jsonrpc":"2.0","id":"\\u0061","result":{}}\n'],
  ['a line that was cut off', '{"jsonrpc":"2.0","id":1,"result":{"a":{}'],
])('does not judge %s by its start', (_title, text) => {
  expect(read(text)).toBeUndefined();
});
