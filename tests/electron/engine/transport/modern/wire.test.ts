import { describe, expect, it } from 'vitest';
import { toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import {
  eraOfPost,
  headerMismatch,
  nameMismatch,
} from '../../../../../electron/engine/transport/modern/http-client-headers.ts';
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
});

describe('[PB-DUAL-1] arguments in headers', () => {
  const schema = (properties: Json, more: Json = {}) => ({ type: 'object', properties, ...more });

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

  it('reads what it writes', () => {
    for (const value of ['a', ' a', 'a\nb', '=?base64?', '日本', '', '=?x'])
      expect(decodeHeader(encodeHeader(value))).toBe(value);
  });
});
