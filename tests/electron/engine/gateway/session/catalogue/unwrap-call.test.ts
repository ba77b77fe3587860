import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unwrapCall } from '../../../../../../electron/engine/gateway/session/catalogue/unwrap-call.ts';
import type { RawRequest } from '../../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage, toRaw } from '../../../../../../electron/engine/jsonrpc/read-message.ts';

const read = (line: string) => readMessage(Buffer.from(line)) as RawRequest;
const unwrapped = (line: string) => unwrapCall(read(line)).line().toString('utf8').trimEnd();

it.each([
  // Values that parsing and printing would change, in everything that is forwarded.
  [
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"call_tool","arguments":{"name":"a:b","arguments":{"big":12345678901234567890,"e":1.0e400,"k":1,"k":2}},"_meta":{"progressToken":1.0}},"x":1}',
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"a:b","arguments":{"big":12345678901234567890,"e":1.0e400,"k":1,"k":2},"_meta":{"progressToken":1.0}},"x":1}',
  ],
  [
    '{"params":{"arguments":{"arguments":{},"name":"\\u0061"},"task":{},"name":"call_tool"},"method":"tools/call","id":1,"jsonrpc":"2.0"}',
    '{"params":{"arguments":{},"task":{},"name":"\\u0061"},"method":"tools/call","id":1,"jsonrpc":"2.0"}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_tool","arguments":{"name":"x"}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}',
  ],
])(
  '[PB-SMART-1] [AG-US4-AC4] [AG-US4-AC5] what is wrapped takes the place of its wrapping, byte for byte: %#',
  (line, expected) => {
    expect(unwrapped(line)).toBe(expected);
  },
);

it.each([
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_tool"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_tool","arguments":{"name":5}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_tool","arguments":[]}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_tool","arguments":"{\\"name\\":\\"a\\"}"}}',
])('[PB-SMART-1] a call without a name is refused: %#', (line) => {
  expect(() => unwrapped(line)).toThrow('arguments.name');
});

it('[PB-SMART-1] arguments that a model gives as a text are refused with what to do, and reach no server', () => {
  const params = { name: 'call_tool', arguments: { name: 'a:b', arguments: '{"x":1}' } };
  const message = { jsonrpc: '2.0' as const, id: 1, method: 'tools/call', params };
  expect(() => unwrapped(JSON.stringify(message))).toThrow('"arguments.arguments" as an object');
  expect(() => unwrapCall(toRaw(message) as RawRequest)).toThrow('"arguments.arguments" as an object');
});

it('[PB-SMART-1] means the same for any arguments, as bytes and as a value', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, wrapped, extra) => {
      const message = {
        jsonrpc: '2.0' as const,
        id: 7,
        method: 'tools/call',
        params: { name: 'call_tool', arguments: { name, arguments: wrapped, extra }, extra },
      };
      // Compares parsed values, because -0 is written as 0.
      const params = JSON.parse(JSON.stringify({ name, arguments: wrapped ?? {}, extra }));
      if (wrapped === null || typeof wrapped === 'string') return;
      expect(unwrapCall(read(JSON.stringify(message))).params).toEqual(params);
      expect(JSON.parse(JSON.stringify(unwrapCall(toRaw(message) as RawRequest).params))).toEqual(params);
    }),
  );
});
