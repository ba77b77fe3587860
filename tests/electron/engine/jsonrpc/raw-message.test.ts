import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readByteMessage } from '../../../../electron/engine/jsonrpc/byte-message.ts';
import { skipSpace, skipValue } from '../../../../electron/engine/jsonrpc/json/json-scan.ts';
import type { JsonRpcMessage } from '../../../../electron/engine/jsonrpc/message.ts';
import {
  type MessageKind,
  messageKind,
  type UncheckedEnvelope,
} from '../../../../electron/engine/jsonrpc/message-kind.ts';
import { ObjectMessage } from '../../../../electron/engine/jsonrpc/object-message.ts';
import type {
  MessageChanges,
  ParamKey,
  RawMessage,
} from '../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../electron/engine/jsonrpc/read-message.ts';
import { repairEnvelope } from '../../../../electron/engine/jsonrpc/repair-envelope.ts';
import { jsonText, objectText, space, stringText } from '../../../helper/json-text.ts';

const read = (text: string) => readMessage(Buffer.from(text));
const written = (message: RawMessage | undefined) => message?.line().toString('utf8');
const params: readonly ParamKey[] = [
  'name',
  'uri',
  'ref',
  'task',
  'progressToken',
  'metaToken',
  'idempotencyKey',
];

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The kind of a value read as a client's message. */
function kindOf(value: unknown): MessageKind {
  const kind = messageKind(value);
  if (kind !== 'invalid' || Array.isArray(value)) return kind;
  return repairEnvelope(value as UncheckedEnvelope, 'client')?.kind ?? kind;
}

/** Checks whether the envelope was rewritten. */
function isMended(message: RawMessage, text: string): boolean {
  if (message instanceof ObjectMessage) return messageKind(JSON.parse(text)) === 'invalid';
  return readByteMessage(Buffer.from(text)) === undefined;
}

/** The members a message may have, in any order, some of them repeated. */
function members(values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const names = Object.keys(values);
  const member = fc
    .constantFrom(...names)
    .chain((name) => fc.tuple(fc.constant(`"${name}"`), values[name] ?? jsonText(1)));
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 6 }) },
      { weight: 1, arbitrary: fc.array(member, { maxLength: 6 }) },
    )
    .chain(objectText);
}

const idText = fc.oneof(
  fc.nat().map(String),
  fc.integer().map(String),
  stringText(),
  fc.constantFrom('12345678901234567890', '-0', '1e3', '1.0', '1.5', 'null', '"\\u0031"', '{}'),
);
const metaText = members({
  progressToken: jsonText(0),
  'patchbay/idempotencyKey': jsonText(0),
  other: jsonText(1),
});
const refText = members({ type: fc.constant('"ref/prompt"'), name: stringText(), uri: stringText() });
const paramsText = members({
  name: jsonText(0),
  uri: jsonText(0),
  ref: fc.oneof(refText, jsonText(1)),
  _meta: fc.oneof(metaText, jsonText(1)),
  progressToken: jsonText(0),
  task: jsonText(1),
  arguments: jsonText(3),
  'n\\u0061me': jsonText(0),
});
const errorText = fc.oneof(
  members({ code: fc.constantFrom('-32603', '"x"'), message: stringText(), data: jsonText() }),
  jsonText(1),
);

const resultText = members({
  resultType: jsonText(0),
  _meta: fc.oneof(metaText, jsonText(1)),
  content: jsonText(1),
  'c\\u006fntent': jsonText(1),
  'result\\u0054ype': jsonText(0),
});

/** Generates mostly messages, and sometimes other values. */
const messageText = fc
  .tuple(
    fc.constantFrom('call', 'answer', 'any'),
    fc.record({
      jsonrpc: fc.constantFrom('"2.0"', '"2.0"', '"2.0"', '"1.0"', '2', '"2\\u002e0"'),
      id: idText,
      method: fc.oneof(fc.constantFrom('"tools/call"', '"m\\u0065"'), jsonText(0)),
      params: fc.oneof({ weight: 5, arbitrary: paramsText }, { weight: 1, arbitrary: jsonText(1) }),
      result: fc.oneof(resultText, jsonText()),
      error: errorText,
      extra: jsonText(1),
      'i\\u0064': idText,
    }),
    fc.array(fc.nat(7), { maxLength: 8 }),
    fc.tuple(space(), space()),
  )
  .chain(([kind, values, picks, [before, after]]) => {
    const names = {
      call: ['jsonrpc', 'id', 'method', 'params'],
      answer: ['jsonrpc', 'id', 'result'],
      any: [],
    }[kind];
    const all = Object.keys(values);
    const chosen = [...(names ?? []), ...picks.map((pick) => all[pick] ?? 'extra')];
    const distinct = picks.length % 3 === 0 ? chosen : [...new Set(chosen)];
    const entries = distinct.map(
      (name) => [`"${name}"`, (values as Record<string, string>)[name] ?? '1'] as const,
    );
    return fc
      .shuffledSubarray(entries, { minLength: entries.length })
      .chain(objectText)
      .map((text) => `${before}${text}${after}`);
  });

const changes: fc.Arbitrary<MessageChanges> = fc.record(
  {
    id: fc.oneof(fc.nat().map(String), stringText()),
    params: fc.record(
      {
        name: stringText(),
        uri: stringText(),
        refName: stringText(),
        refUri: stringText(),
        progressToken: jsonText(0),
        metaToken: jsonText(0),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

describe('a message read from its bytes', () => {
  it('[NFR-R3] is read behind a byte order mark too', () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect(read(`\uFEFF${request}\n`)).toMatchObject({ kind: 'request', id: 1, method: 'ping' });
    expect(written(read(`\uFEFF${request}`))).toBe(`${request}\n`);
  });

  it('[FR-008] matches a full parse, down to the members that address it', () => {
    fc.assert(
      fc.property(messageText, (text) => {
        const value = JSON.parse(text);
        const message = read(text);
        expect(message?.kind ?? 'noise').toBe(kindOf(value));
        if (message === undefined || isMended(message, text)) return;
        const whole = new ObjectMessage(value);
        expect(message.id).toBe(whole.id);
        expect(message.method).toBe(whole.method);
        expect(message.value).toEqual(value);
        for (const param of params) expect(message.param(param)).toEqual(whole.param(param));
        for (const member of ['resultType', 'resultMeta'] as const)
          expect(JSON.stringify(parsed(message[member] ?? ''))).toBe(
            JSON.stringify(parsed(whole[member] ?? '')),
          );
      }),
      { numRuns: 3000 },
    );
  });

  it('[FR-008] spliced and then parsed is the same as parsed and then changed', () => {
    fc.assert(
      fc.property(messageText, changes, (text, change) => {
        const message = read(text);
        if (message === undefined || isMended(message, text)) return;
        const spliced = message.with(change);
        const expected = new ObjectMessage(JSON.parse(text) as JsonRpcMessage).with(change);
        expect(spliced.value).toEqual(expected.value);
        expect(spliced.id).toBe(expected.id);
        // A message that needs a full parse is serialized again, and -0 does not survive that.
        if (message instanceof ObjectMessage) return;
        expect(JSON.parse(String(written(spliced)))).toEqual(expected.value);
      }),
      { numRuns: 3000 },
    );
  });

  it('[PB-PASS-1] still knows its members once all of its `_meta` is replaced', () => {
    fc.assert(
      fc.property(messageText, metaText, (text, meta) => {
        const message = read(text);
        if (message === undefined || message instanceof ObjectMessage || isMended(message, text)) return;
        const stamped = message.with({ params: { meta } });
        const again = read(String(written(stamped)));
        if (again === undefined || again instanceof ObjectMessage) return;
        for (const param of params) expect(stamped.param(param)).toEqual(again.param(param));
      }),
      { numRuns: 3000 },
    );
  });

  it('[PB-PASS-1] after several changes reads as its line does, whether the line was written between them or not', () => {
    const metaChange = metaText.map((meta): MessageChanges => ({ params: { meta } }));
    const steps = fc.array(fc.tuple(fc.oneof(changes, metaChange), fc.boolean()), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(messageText, steps, (text, chain) => {
        let message = read(`${text}\n`);
        if (message === undefined || message instanceof ObjectMessage || isMended(message, text)) return;
        let settled = message;
        for (const [change, isWritten] of chain) {
          message = message.with(change);
          settled = read(String(written(settled.with(change)))) ?? settled;
          if (settled instanceof ObjectMessage) return;
          if (isWritten) message.line();
          for (const param of params) expect(message.paramText(param)).toBe(settled.paramText(param));
          for (const part of ['paramsBytes', 'argumentsBytes', 'resultBytes'] as const)
            expect(message[part]?.toString('utf8')).toBe(settled[part]?.toString('utf8'));
          expect(message.paramText('meta')).toBe(settled.paramText('meta'));
          expect([message.idText, message.byteLength]).toEqual([settled.idText, settled.byteLength]);
          expect(message.id).toBe(settled.id);
        }
        expect(written(message)).toBe(written(settled));
      }),
      { numRuns: 3000 },
    );
  });

  it('[FR-008] a result passes as it is, with keys that are repeated or written with escapes', () => {
    const result = '{"c\\u006fntent":[],"_meta":{"a":1},"n":-0,"resultType":"x", "_meta":{"a":2}}';
    const text = `{"jsonrpc":"2.0","id":1,"result":${result}}`;
    const message = read(text);
    expect(written(message)).toBe(`${text}\n`);
    expect(message?.resultMeta).toBe('{"a":2}');
    expect(message?.resultType).toBe('"x"');
  });

  it('[FR-008] passes on every byte that is not replaced', () => {
    fc.assert(
      fc.property(jsonText(), jsonText(), idText, (argument, extra, id) => {
        const text = (name: string, ours: string) =>
          `{ "params":{"x":${argument}, "name":${name} ,"arguments":${argument}},"id":${ours},"jsonrpc":"2.0","method":"tools/call","x":${extra}}`;
        const message = read(text('"old"', id));
        if (message?.kind !== 'request') return;
        expect(written(message.with({ id: '7', params: { name: '"n"' } }))).toBe(`${text('"n"', '7')}\n`);
        expect(written(message.with({ id: message.idText }))).toBe(`${text('"old"', id)}\n`);
      }),
    );
  });

  it('is rejected where a full parse rejects it, whichever byte is wrong', () => {
    const damage = fc.record({ at: fc.nat(), byte: fc.option(fc.nat(127)) });
    fc.assert(
      fc.property(messageText, damage, (text, { at, byte }) => {
        const bytes = Buffer.from(text);
        const place = at % bytes.length;
        const inserted = byte === null ? [] : [byte];
        const damaged = Buffer.from([...bytes.subarray(0, place), ...inserted, ...bytes.subarray(place + 1)]);
        // A program may write these before its first message.
        const whole = parsed(damaged.toString('utf8').replace(/^[\s\0]+/, ''));
        const kind = whole === undefined ? 'noise' : kindOf(whole.value);
        expect(readMessage(damaged)?.kind ?? 'noise').toBe(kind);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":{},"id":2}', 2],
    ['{"jsonrpc":"2.0","id":1,"\\u0069d":2,"result":{}}', 2],
  ])('[PB-ISO-1] with two ids has the last one: %s', (text, id) => {
    expect(read(text)).toMatchObject({ kind: 'result', id });
    expect(JSON.parse(String(written(read(text)?.with({ id: '"x"' }))))).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: {},
    });
  });

  it('[EDGE-2] may be nested to any depth', () => {
    const deep = `${'[{"a":'.repeat(200_000)}1${'}]'.repeat(200_000)}`;
    const message = read(`{"jsonrpc":"2.0","id":1,"result":${deep}}`);
    expect(written(message?.with({ id: '2' }))).toBe(`{"jsonrpc":"2.0","id":2,"result":${deep}}\n`);
    expect(read(`{"jsonrpc":"2.0","id":1,"result":${deep.slice(0, -1)}}}`)).toBeUndefined();
  });

  it('keeps bytes that are no UTF-8 as they are', () => {
    const line = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}\n'),
    ]);
    expect(readMessage(line)?.with({ id: '1' }).line()).toEqual(line);
  });
});

describe('skipValue', () => {
  it('finds the end of long strings, and every flaw in them, wherever they lie in memory', () => {
    const special = fc.constantFrom(
      '"',
      '\\"',
      '\\\\',
      '\\u0041',
      '\\x',
      '\n',
      '\u0001',
      'é',
      '🚀',
      '\u2028',
    );
    const piece = fc.tuple(fc.nat(150), special).map(([length, end]) => `${'x'.repeat(length)}${end}`);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), fc.nat(3), fc.nat(150), (pieces, offset, rest) => {
        const text = `"${pieces.join('')}${'y'.repeat(rest)}"`;
        const bytes = Buffer.from(' '.repeat(offset) + text).subarray(offset);
        const end = skipValue(bytes, 0);
        const read = end === -1 ? undefined : bytes.subarray(0, end).toString('utf8');
        const ends = [...text.matchAll(/"/g)].map(({ index }) => text.slice(0, index + 1));
        const flawless = ends.find((begin) => parsed(begin) !== undefined);
        expect(read).toBe(flawless);
      }),
      { numRuns: 2000 },
    );
  });

  it('ends where the value ends, and finds every flaw that JSON.parse finds', () => {
    const damaged = fc.tuple(jsonText(), fc.nat(), fc.option(fc.nat(127))).map(([text, at, byte]) => {
      const bytes = [...Buffer.from(text)];
      bytes.splice(at % bytes.length, 1, ...(byte === null ? [] : [byte]));
      return Buffer.from(bytes).toString('utf8');
    });
    fc.assert(
      fc.property(fc.oneof(jsonText(), damaged), (text) => {
        const bytes = Buffer.from(text);
        const end = skipValue(bytes, skipSpace(bytes, 0));
        expect(end !== -1 && skipSpace(bytes, end) === bytes.length).toBe(parsed(text) !== undefined);
      }),
      { numRuns: 5000 },
    );
  });
});
