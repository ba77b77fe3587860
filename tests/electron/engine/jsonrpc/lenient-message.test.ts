import { describe, expect, it } from 'vitest';
import { readMessages } from '../../../../electron/engine/jsonrpc/read-message.ts';

const heard = (text: string, speaker: 'client' | 'server' = 'server') =>
  readMessages(Buffer.from(text), speaker).map((message) => [message.kind, written(message)] as const);
const written = (message: { line(): Buffer }) => message.line().toString('utf8').trimEnd();
/** A number that loses digits when parsed. */
const payload = '{"n":9007199254740993,"z":-0, "deep":[1.0,{"id":5}]}';

describe('a message of a server that strays from JSON-RPC', () => {
  it.each([
    ['jsonrpc missing', `{"id":1,"result":${payload}}`],
    ['jsonrpc 1.0', `{"jsonrpc":"1.0","id":1,"result":${payload}}`],
    ['jsonrpc a number', `{"jsonrpc":2.0,"id":1,"result":${payload}}`],
    ['jsonrpc null', `{"result":${payload},"id":1,"jsonrpc":null}`],
    ['error null beside a result', `{"jsonrpc":"2.0","error":null,"result":${payload},"id":1}`],
    ['error false beside a result', `{"jsonrpc":"2.0","error":false,"result":${payload},"id":1}`],
    [
      'an error without content beside a result',
      `{"jsonrpc":"2.0","error":{"code":0,"message":"","data":null},"result":${payload},"id":1}`,
    ],
    [
      'an error that says OK beside a result',
      `{"jsonrpc":"2.0","error":{"code":0,"message":"OK"},"result":${payload},"id":1}`,
    ],
    ['JSON text', JSON.stringify(`{"jsonrpc":"2.0","id":1,"result":${payload}}`)],
    ["PHP's empty error beside a result", `{"jsonrpc":"2.0","error":[],"result":${payload},"id":1}`],
    [
      'every member there is',
      `{"jsonrpc":"2.0","id":1,"method":null,"params":null,"result":${payload},"error":null}`,
    ],
    ['the request it answers', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"result":${payload}}`],
    ['an empty method', `{"jsonrpc":"2.0","id":1,"method":"","result":${payload}}`],
    ['a byte order mark', `\uFEFF{"jsonrpc":"2.0","id":1,"result":${payload}}`],
    ['terminal sequences before it', `\x1b[?25l\x1b[2K{"jsonrpc":"2.0","id":1,"result":${payload}}`],
    ['a carriage return', `{"jsonrpc":"2.0","id":1,"result":${payload}}\r\n`],
    ['something behind it', `{"jsonrpc":"2.0","id":1,"result":${payload}} done`],
    ['an array around it', ` [{"jsonrpc":"2.0","id":1,"result":${payload}}]`],
  ])('[PB-PASS-1] %s: is the result it means, its payload byte for byte', (_name, text) => {
    expect(heard(text).map(([kind, line]) => [kind, line.trim()])).toEqual([
      ['result', `{"jsonrpc":"2.0","id":1,"result":${payload}}`],
    ]);
  });

  it.each([
    [
      '"error":{"code":-32000,"message":"no","data":[1.0]},"result":null',
      '{"code":-32000,"message":"no","data":[1.0]}',
    ],
    ['"error":{"code":-32000,"message":"no"},"result":{"partial":true}', '{"code":-32000,"message":"no"}'],
    ['"error":"no"', '{"code":-32603,"message":"no"}'],
    [
      '"error":{"code":"ENOENT","message":"no"}',
      '{"code":-32603,"message":"no","data":{"code":"ENOENT","message":"no"}}',
    ],
    ['"error":{"code":"-32000","message":"no"}', '{"code":-32000,"message":"no"}'],
  ])('[PB-PASS-1] an error in any form is a failure in the form of JSON-RPC: %s', (members, error) => {
    expect(heard(`{"jsonrpc":"2.0","id":"7",${members}}`)).toEqual([
      ['failure', `{"jsonrpc":"2.0","id":"7","error":${error}}`],
    ]);
  });

  it.each([
    ['"id":4,"method":"ping","params":null', '"id":4,"method":"ping"', 'request'],
    ['"id":"a","method":"ping","params":[]', '"id":"a","method":"ping"', 'request'],
    ['"id":4,"method":"ping","result":null,"error":null', '"id":4,"method":"ping"', 'request'],
    ['"method":"notifications/message","params":[]', '"method":"notifications/message"', 'notification'],
    [
      '"id":null,"method":"notifications/message","params":{"a":1.0}',
      '"method":"notifications/message","params":{"a":1.0}',
      'notification',
    ],
    ['"id":null,"method":"anything"', '"method":"anything"', 'notification'],
  ])('[PB-PASS-1] %s: is what it means, and travels on as it should be', (members, mended, kind) => {
    expect(heard(`{"jsonrpc":"2.0",${members}}`)).toEqual([[kind, `{"jsonrpc":"2.0",${mended}}`]]);
  });

  it('[PB-PASS-1] needs no version where its method is that of a notification', () => {
    expect(heard('{"method":"notifications/tools/list_changed"}')).toEqual([
      ['notification', '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'],
    ]);
  });

  it('[PB-PASS-1] several on one line or in one array are separated', () => {
    const one = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const other = '{"jsonrpc":"2.0","id":2,"result":{"x":1.0}}';
    for (const text of [
      `${one}${other}`,
      `${one} \t${other}`,
      `[${one}, ${other}]`,
      `[${one},1,${other},"x"]`,
    ])
      expect(heard(text)).toEqual([
        ['result', one],
        ['result', other],
      ]);
  });

  it('[PB-PASS-1] is repaired with the last one of repeated members', () => {
    expect(heard('{"jsonrpc":"1.0","id":1,"id":2,"result":{},"error":null}')).toEqual([
      ['result', '{"jsonrpc":"2.0","id":2,"result":{}}'],
    ]);
  });

  it.each([
    'listening on 127.0.0.1',
    'Received: {"jsonrpc":"2.0","id":1,"result":{}}',
    '{"level":"info","method":"GET","msg":"x"}',
    '{"level":"error","error":"ENOENT"}',
    '{"level":"error","id":1,"error":"ENOENT","msg":"x"}',
    '{"severity":"INFO","id":1,"result":"ok"}',
    '{"level":30,"id":1,"id":1,"method":"tools/list","result":{}}',
    '"listening"',
    '[1,2]',
    '[]',
    '{"jsonrpc":"2.0","id":1,"result":{}',
    '',
  ])('[NFR-R3] that was never meant as one is none: %s', (text) => {
    expect(heard(text)).toEqual([]);
  });

  it.each([
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":"text"}',
  ])('[PB-ISO-1] is not guessed at where it leaves a doubt: %s', (text) => {
    expect(heard(text)).toEqual([['invalid', text]]);
  });
});

describe('a message of a client that strays from JSON-RPC', () => {
  it.each([
    ['"id":4,"method":"ping","params":null', '"id":4,"method":"ping"'],
    ['"method":"notifications/initialized","params":null', '"method":"notifications/initialized"'],
    ['"method":"notifications/initialized","id":null', '"method":"notifications/initialized"'],
  ])('[PB-PASS-1] %s: is what it means', (members, mended) => {
    expect(heard(`{"jsonrpc":"2.0",${members}}`, 'client')).toMatchObject([
      [{}, `{"jsonrpc":"2.0",${mended}}`],
    ]);
    expect(heard(`{${members}}`, 'client')).toMatchObject([[{}, `{"jsonrpc":"2.0",${mended}}`]]);
    expect(heard(`{"jsonrpc":2.0,${members}}`, 'client')).toMatchObject([
      [{}, `{"jsonrpc":"2.0",${mended}}`],
    ]);
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":""}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":0}',
    '{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  ])('[PB-PASS-1] is reported to the client if it cannot be repaired: %s', (text) => {
    expect(heard(text, 'client')).toEqual([['invalid', text]]);
  });
});
