import { describe, expect, it } from 'vitest';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage, toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import {
  eraOfPost,
  headerMismatch,
  nameMismatch,
  paramMismatch,
} from '../../../../../electron/engine/transport/modern/client/http-client-headers.ts';
import { digestRequest } from '../../../../../electron/engine/transport/modern/client/request-state.ts';
import { readEnvelope } from '../../../../../electron/engine/transport/modern/envelope.ts';
import {
  decodeHeader,
  encodeHeader,
  paramHeadersOf,
  paramHeaderValues,
} from '../../../../../electron/engine/transport/modern/param-headers.ts';
import { envelope, type Json } from './modern-peers.ts';

const request = (method: string, params: Json = {}) => toRaw({ jsonrpc: '2.0', id: 1, method, params });
const modern = '2026-07-28';

describe('[PB-DUAL-1] the era of a POST', () => {
  it.each<[string, Json, Json, string]>([
    ['a modern version header', { 'mcp-protocol-version': modern }, {}, 'modern'],
    ['an envelope alone', {}, { _meta: envelope() }, 'modern'],
    ['neither', {}, {}, 'legacy'],
    ['stray keys in a session', { 'mcp-session-id': 's' }, { _meta: envelope() }, 'legacy'],
    [
      'stray keys with an older version',
      { 'mcp-protocol-version': '2025-11-25' },
      { _meta: envelope() },
      'legacy',
    ],
    [
      'a version that nobody knows, with an envelope',
      { 'mcp-protocol-version': '1900-01-01' },
      { _meta: envelope() },
      'modern',
    ],
  ])('shows in %s', (_case, headers, params, era) => {
    expect(eraOfPost(headers, request('tools/list', params))).toBe(era);
  });

  it.each<[string, Json]>([
    ['no version', { 'mcp-method': 'tools/call' }],
    ['another version', { 'mcp-protocol-version': '2027-01-01', 'mcp-method': 'tools/call' }],
    ['no method', { 'mcp-protocol-version': modern }],
    ['another method', { 'mcp-protocol-version': modern, 'mcp-method': 'tools/list' }],
    ['a method in other case', { 'mcp-protocol-version': modern, 'mcp-method': 'TOOLS/CALL' }],
  ])('is refused if header and body differ: %s', (_case, headers) => {
    expect(headerMismatch(headers, request('tools/call', { _meta: envelope() }))?.code).toBe(-32020);
  });

  it.each<[string | undefined, boolean]>([
    ['grüße', false],
    [encodeHeader('grüße'), true],
    ['  =?base64?Z3LDvMOfZQ==?=  ', true],
    ['=?base64?Z3LDvMOfZQ?=', false],
    [undefined, false],
  ])('compares the name %s', (header, isSame) => {
    const mismatch = nameMismatch({ 'mcp-name': header }, request('tools/call', { name: 'grüße' }));
    expect(mismatch === undefined).toBe(isSame);
  });

  it.each(['constructor', '__proto__', 'toString', 'tools/list'])('expects no name for %s', (method) => {
    expect(nameMismatch({ 'mcp-name': 'x' }, request(method))).toBeUndefined();
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('compares the task of %s', (method) => {
    const message = request(method, { taskId: 't1' });
    expect(nameMismatch({ 'mcp-name': 't1' }, message)).toBeUndefined();
    for (const name of ['t2', undefined])
      expect(nameMismatch({ 'mcp-name': name }, message)?.code).toBe(-32020);
  });
});

describe('[PB-DUAL-4] the digest of a request', () => {
  const digest = (params: string) =>
    digestRequest(
      readMessage(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}`)) as RawMessage,
    );

  it('is of what lasts from round to round, in any order', () => {
    expect(digest('{"b":1,"a":{"d":2,"c":3},"requestState":"x"}')).toBe(digest('{"a":{"c":3,"d":2},"b":1}'));
    expect(digest('{"a":1}')).not.toBe(digest('{"a":2}'));
  });

  it('is of arguments that no recursive reader can follow, too', () => {
    const deep = (inner: string) => `{"arguments":${'['.repeat(20_000)}${inner}${']'.repeat(20_000)}}`;
    expect(digest(deep('1'))).toBe(digest(deep('1')));
    expect(digest(deep('1'))).not.toBe(digest(deep('2')));
  });
});

describe('[PB-DUAL-1] arguments in headers', () => {
  const schema = (properties: Json, more: Json = {}) => ({ type: 'object', properties, ...more });
  const annotated = schema({
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    deep: schema({ dry: { type: 'boolean', 'x-mcp-header': 'Dry' } }),
  });

  it('repeats what the schema says, encoded where a header needs it', () => {
    const headers = paramHeadersOf(
      schema({
        region: { type: 'string', 'x-mcp-header': 'Region' },
        deep: schema({ dry: { type: 'boolean', 'x-mcp-header': 'Dry' } }),
        none: { type: 'string', 'x-mcp-header': 'None' },
      }),
    );
    expect(paramHeaderValues(headers ?? [], { region: ' ü', deep: { dry: false }, none: null })).toEqual([
      ['Mcp-Param-Region', '=?base64?IMO8?='],
      ['Mcp-Param-Dry', 'false'],
    ]);
  });

  it.each<[string, Json]>([
    ['a number', schema({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    ['an object', schema({ a: { type: 'object', 'x-mcp-header': 'A' } })],
    ['no token', schema({ a: { type: 'string', 'x-mcp-header': 'A B' } })],
    ['an empty name', schema({ a: { type: 'string', 'x-mcp-header': '' } })],
    [
      'a name twice',
      schema({ a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } }),
    ],
    ['a place behind anyOf', schema({ a: { anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] } })],
    ['items of a list', schema({ a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } })],
  ])('drops a tool with a rule broken: %s', (_case, inputSchema) => {
    expect(paramHeadersOf(inputSchema)).toBeUndefined();
  });

  it.each<[string, Json, Json]>([
    ['the value', { 'mcp-param-region': 'eu' }, { region: 'eu' }],
    ['the value, wrapped', { 'mcp-param-region': encodeHeader('ü') }, { region: 'ü' }],
    ['a wrapper in other case', { 'mcp-param-region': '=?BASE64?SGVsbG8=?=' }, { region: 'Hello' }],
    ['half a wrapper, meaning itself', { 'mcp-param-region': '=?base64?SGVs' }, { region: '=?base64?SGVs' }],
    ['base64 without a wrapper', { 'mcp-param-region': 'SGVsbG8=' }, { region: 'SGVsbG8=' }],
    ['an empty text', { 'mcp-param-region': '' }, { region: '' }],
    ['an integer with a fraction of zero', { 'mcp-param-count': '42.0' }, { count: 42 }],
    ['false', { 'mcp-param-dry': 'false' }, { deep: { dry: false } }],
    ['nothing, for null', {}, { region: null }],
    ['nothing, for no arguments', {}, undefined],
    ['a header without an argument', { 'mcp-param-region': 'eu' }, {}],
    ['nothing, for an argument of another type', {}, { region: ['eu'] }],
    ['nothing, for a number beyond a double', {}, { count: 2 ** 60 }],
    ['a header that no schema names', { 'mcp-param-region': 'eu', 'mcp-param-x': 'y' }, { region: 'eu' }],
  ])('accepts in a call: %s', (_case, headers, args) => {
    expect(paramMismatch(headers, request('tools/call', { arguments: args }), annotated)).toBeUndefined();
  });

  it.each<[string, Json, Json]>([
    ['another value', { 'mcp-param-region': 'us' }, { region: 'eu' }],
    ['a value in other case', { 'mcp-param-region': 'EU' }, { region: 'eu' }],
    ['no header', {}, { region: 'eu' }],
    ['no header for false', {}, { deep: { dry: false } }],
    ['a header sent twice', { 'mcp-param-region': 'eu, eu' }, { region: 'eu' }],
    ['wrong padding', { 'mcp-param-region': '=?base64?SGVsbG8?=' }, { region: 'Hello' }],
    ['wrong characters', { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }, { region: 'Hello' }],
    ['bytes that are no text', { 'mcp-param-region': '=?base64?/w==?=' }, { region: '\ufffd' }],
    ['characters outside ASCII', { 'mcp-param-region': 'ü' }, { region: 'ü' }],
    ['another number', { 'mcp-param-count': '43' }, { count: 42 }],
    ['True', { 'mcp-param-dry': 'True' }, { deep: { dry: true } }],
    ['a number in another form', { 'mcp-param-count': '0x2a' }, { count: 42 }],
  ])('refuses in a call: %s', (_case, headers, args) => {
    const found = paramMismatch(headers, request('tools/call', { arguments: args }), annotated);
    expect(found).toMatchObject({ code: -32020, message: expect.stringContaining('Mcp-Param-') });
  });

  it('asks for nothing by a schema that breaks the rules, or is none', () => {
    const call = request('tools/call', { arguments: { a: 'b' } });
    const broken = schema({ a: { type: 'object', 'x-mcp-header': 'A' } });
    for (const inputSchema of [broken, undefined, null, true, 'x'])
      expect(paramMismatch({}, call, inputSchema)).toBeUndefined();
  });

  it('reads a schema that no recursive reader can follow', () => {
    const levels = 20_000;
    const deep = (inner: string) => JSON.parse(`${'{"items":'.repeat(levels)}${inner}${'}'.repeat(levels)}`);
    expect(paramHeadersOf(deep('{}'))).toEqual([]);
    expect(paramHeadersOf(deep('{"type":"string","x-mcp-header":"A"}'))).toBeUndefined();
  });

  it('reads what it writes', () => {
    for (const value of ['a', ' a', 'a\nb', '=?base64?', '日本', '', '=?x'])
      expect(decodeHeader(encodeHeader(value))).toBe(value);
  });
});

describe('[PB-DUAL-4] an envelope', () => {
  const nested = (levels: number) => {
    const meta = JSON.stringify(envelope()).slice(0, -1);
    const deep = `${'['.repeat(levels)}"]]"${']'.repeat(levels)}`;
    const params = `{"name":"a","_meta":${meta},"deep":${deep}}}`;
    const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    return readMessage(Buffer.from(line)) as RawMessage;
  };

  it('may be nested deeply, but not without an end', () => {
    expect(readEnvelope(nested(5_000))).toMatchObject({ capabilities: {} });
    expect(readEnvelope(nested(500_000))).toMatchObject({
      error: { code: -32602, message: '_meta is nested too deeply' },
    });
  });
});
