import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLongResult } from '../../../../electron/engine/rpc/long-answer.ts';
import { readMessage } from '../../../../electron/engine/rpc/read-message.ts';
import { jsonText, space, stringText } from '../../../helper/json-text.ts';

function cut(text: string, at: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [0, ...at.map((place) => place % bytes.length), bytes.length].sort(
    (one, other) => one - other,
  );
  return places
    .slice(1)
    .map((end, index) => bytes.subarray(places[index], end))
    .filter(({ length }) => length > 0);
}

const read = (text: string, at: readonly number[] = []) => readLongResult(cut(text, at));
const line = (members: readonly string[]) => `{${members.join(',')}}\n`;

const idText = fc.oneof(
  fc.nat().map(String),
  fc.uuid().map((id) => `"${id}"`),
);
const anyId = fc.oneof(
  idText,
  stringText(),
  fc.integer().map(String),
  fc.constantFrom('1e3', '-0', '12345678901234567890'),
);
const spaced = (name: string, value: fc.Arbitrary<string>) =>
  fc.tuple(space(), space(), value).map(([one, other, text]) => `${one}"${name}"${other}:${text}`);
const answer = (id: fc.Arbitrary<string>) =>
  fc
    .tuple(spaced('jsonrpc', fc.constant('"2.0"')), spaced('id', id), spaced('result', jsonText(3)))
    .chain((members) => fc.shuffledSubarray(members, { minLength: 3 }))
    .map(line);

describe('a long result that a program of ours has read before [PB-PASS-1]', () => {
  it('answers the request it names, wherever the id is and however it is cut, and is forwarded byte for byte', () => {
    fc.assert(
      fc.property(answer(idText), fc.array(fc.nat(), { maxLength: 5 }), (text, at) => {
        const message = read(text, at);
        expect(message?.kind).toBe('result');
        expect(message?.id).toBe(readMessage(Buffer.from(text))?.id);
        expect(message?.line().toString('utf8')).toBe(text);
      }),
    );
  });

  it('is never taken for the answer to another request', () => {
    fc.assert(
      fc.property(answer(anyId), fc.array(fc.nat(), { maxLength: 5 }), (text, at) => {
        const message = read(text, at);
        if (message !== undefined) expect(message.id).toBe(readMessage(Buffer.from(text))?.id);
      }),
    );
  });

  it('can be read in full after all', () => {
    const message = read('{"result":{"tools":[1]},"jsonrpc":"2.0","id":"a"}\n', [3, 9]);
    expect(message?.resultBytes?.toString('utf8')).toBe('{"tools":[1]}');
    expect(message?.result).toEqual({ tools: [1] });
    expect(message?.idText).toBe('"a"');
    expect(message?.with({ id: '7' }).line().toString('utf8')).toBe(
      '{"result":{"tools":[1]},"jsonrpc":"2.0","id":7}\n',
    );
  });

  it.each([
    ['an id inside of the result only', '{"jsonrpc":"2.0","result":{"id":5}}'],
    ['an id in a text', String.raw`{"jsonrpc":"2.0","result":"x,\"id\":5"}`],
    ['two ids', '{"jsonrpc":"2.0","id":1,"result":{},"id":2}'],
    [
      'a member that it does not know before the result',
      '{"jsonrpc":"2.0","more":{"result":1},"id":1,"result":{}}',
    ],
    ['a member that it does not know behind the id', '{"result":{},"jsonrpc":"2.0","id":1,"more":2}'],
    ['no version', '{"id":1,"result":{}}'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}'],
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"result":1}}'],
    ['an id with an escape', String.raw`{"jsonrpc":"2.0","id":"\u0061","result":{}}`],
  ])('is not judged by its ends with %s', (_what, text) => {
    expect(read(`${text}\n`)).toBeUndefined();
  });
});
