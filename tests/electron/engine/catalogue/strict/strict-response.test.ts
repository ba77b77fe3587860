import {
  CallToolResultSchema,
  CompleteResultSchema,
  GetPromptResultSchema,
  JSONRPCResultResponseSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { strictResponse } from '../../../../../electron/engine/catalogue/strict/strict-response.ts';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';

function answerOf(result: string): RawMessage {
  const message = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":7,"result":${result}}`));
  if (message === undefined) throw new Error('This is no answer.');
  return message;
}

function strictText(method: string, result: string, params?: unknown): string | undefined {
  return (strictResponse(method, answerOf(result), params) as RawMessage).resultBytes?.toString();
}

describe('answers for clients that refuse a whole one for a member that is null', () => {
  it.each([
    [
      'tools/call',
      CallToolResultSchema,
      '{"content":[{"type":"text","text":"ran","annotations":null,"_meta":null}],"structuredContent":null,"isError":null,"_meta":null}',
      '{"content":[{"type":"text","text":"ran"}]}',
    ],
    ['tools/call', CallToolResultSchema, '{"content": null, "isError": false}', '{"isError":false}'],
    ['tools/call', CallToolResultSchema, '{"content":[],"_meta":[]}', '{"content":[],"_meta":{}}'],
    [
      'tools/call',
      CallToolResultSchema,
      '{"content":[],"_meta":{"io.modelcontextprotocol/related-task":null,"progressToken":null,"own":null}}',
      '{"content":[],"_meta":{"own":null}}',
    ],
    [
      'resources/read',
      ReadResourceResultSchema,
      '{"contents":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":null},"progressToken":1.5}}',
      '{"contents":[],"_meta":{}}',
    ],
    [
      'tools/call',
      CallToolResultSchema,
      '{"content":[null,{"type":"resource","resource":{"uri":"a","text":"b","mimeType":null}}]}',
      '{"content":[{"type":"resource","resource":{"uri":"a","text":"b"}}]}',
    ],
    [
      'tools/call',
      CallToolResultSchema,
      '{"content":[],"structuredContent":{"id":12345678901234567890,"none":null},"isError":null}',
      '{"content":[],"structuredContent":{"id":12345678901234567890,"none":null}}',
    ],
    [
      'prompts/get',
      GetPromptResultSchema,
      '{"description":null,"messages":[{"role":"user","content":{"type":"text","text":"x","annotations":null}}]}',
      '{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}',
    ],
    [
      'resources/read',
      ReadResourceResultSchema,
      '{"contents":[{"uri":"a","text":"b","mimeType":null,"_meta":null}]}',
      '{"contents":[{"uri":"a","text":"b"}]}',
    ],
    [
      'completion/complete',
      CompleteResultSchema,
      '{"completion":{"values":[],"total":null,"hasMore":null}}',
      '{"completion":{"values":[]}}',
    ],
  ])('[NFR-R3] %s is answered without it', (method, schema, result, expected) => {
    expect(schema.safeParse(JSON.parse(result)).success).toBe(false);
    const mended = strictText(method, result);
    expect(mended).toBe(expected);
    const message = { jsonrpc: '2.0', id: 7, result: JSON.parse(mended ?? '') };
    expect(JSONRPCResultResponseSchema.safeParse(message).success).toBe(true);
    expect(schema.safeParse(message.result).success).toBe(true);
  });

  it.each([
    ['tools/call', '{"content":[{"type":"text","text":"{\\"a\\":null}"}]}'],
    ['tools/call', '{"content":[],"structuredContent":{"a":null,"b":[]}}'],
    ['tools/list', '{"tools":null}'],
  ])('is sent on as it came where nothing of the protocol is null: %s', (method, result) => {
    const answer = answerOf(result);
    expect(strictResponse(method, answer)).toBe(answer);
  });
});

describe('answers for clients that refuse a whole one for an unknown member beside the result', () => {
  const result = '{"content":[{"type":"text","text":"ran"}],"n":12345678901234567890}';
  const strict = (method: string, text: string) => {
    const message = readMessage(Buffer.from(text));
    return (strictResponse(method, message) as RawMessage).line().toString().trim();
  };

  it.each([
    ['tools/call', `{"jsonrpc":"2.0","id":7,"result":${result},"took":3}`],
    ['tools/call', `{"time":"now","jsonrpc": "2.0", "id": 7, "ID": 7, "result": ${result}}`],
    ['tools/call', `{"jsonrpc":"2.0","id":7,"result":${result},"error":null}`],
    ['logging/setLevel', `{"jsonrpc":"2.0","id":7,"meta":{},"result":${result}}`],
  ])('[NFR-R3] %s is answered without it, the result unchanged: %s', (method, text) => {
    const plain = `{"jsonrpc":"2.0","id":7,"result":${result}}`;
    expect(strict(method, text)).toBe(plain);
    expect(JSONRPCResultResponseSchema.safeParse(JSON.parse(plain)).success).toBe(true);
  });

  it.each([
    `{"jsonrpc":"2.0","id":7,"result":${result}}`,
    `{"jsonrpc": "2.0", "id": 7, "result": ${result}}`,
    `{"result":${result},"id":"a","jsonrpc":"2.0"}`,
  ])('leaves one without unknown members as it is: %s', (text) => {
    expect(strict('tools/call', text)).toBe(text);
  });
});

describe('answers for clients that refuse a whole one for content of another form', () => {
  it.each([
    ['a text', '{"content":"said"}', '{"content":[{"type":"text","text":"said"}]}'],
    ['one block', '{"content":{"type":"text","text":"said"}}', '{"content":[{"type":"text","text":"said"}]}'],
    ['texts', '{"content":["a","b"]}', '{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}'],
    [
      'a number as the text',
      '{"content":[{"type":"text","text":5}]}',
      '{"content":[{"type":"text","text":"5"}]}',
    ],
    [
      'an object as the text',
      '{"content":[{"type":"text","text":{"sum":5}}]}',
      '{"content":[{"type":"text","text":"{\\"sum\\":5}"}]}',
    ],
    [
      'a text block without its text',
      '{"content":[{"type":"text"}]}',
      '{"content":[{"type":"text","text":""}]}',
    ],
    [
      'a block without its type',
      '{"content":[{"text":"said"}]}',
      '{"content":[{"text":"said","type":"text"}]}',
    ],
    [
      'a block of an unknown type',
      '{"content":[{"type":"widget","x":1}]}',
      '{"content":[{"type":"text","text":"{\\"type\\":\\"widget\\",\\"x\\":1}"}]}',
    ],
    [
      'an image without its type',
      '{"content":[{"type":"image","data":"AA=="}]}',
      '{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}',
    ],
    [
      'an image as pages write it',
      '{"content":[{"type":"image","data":"data:image/jpeg;base64,AA==","mimeType":"image/png"}]}',
      '{"content":[{"type":"image","data":"AA==","mimeType":"image/jpeg"}]}',
    ],
    [
      'an image in the base64 of addresses',
      '{"content":[{"type":"image","data":"-_8=","mimeType":"image/png"}]}',
      '{"content":[{"type":"image","data":"+/8=","mimeType":"image/png"}]}',
    ],
    [
      'an image that is no base64',
      '{"content":[{"type":"image","data":"a picture!","mimeType":"image/png"}]}',
      '{"content":[{"type":"text","text":"{\\"type\\":\\"image\\",\\"data\\":\\"a picture!\\",\\"mimeType\\":\\"image/png\\"}"}]}',
    ],
    [
      'a resource whose blob is no base64',
      '{"content":[{"type":"resource","resource":{"uri":"a","blob":"so it is!"}}]}',
      '{"content":[{"type":"resource","resource":{"uri":"a","text":"so it is!"}}]}',
    ],
    [
      'a resource without an address',
      '{"content":[{"type":"resource","resource":{"text":"said"}}]}',
      '{"content":[{"type":"text","text":"said"}]}',
    ],
    [
      'a link without a name',
      '{"content":[{"type":"resource_link","uri":"note://1"}]}',
      '{"content":[{"type":"resource_link","uri":"note://1","name":"note://1"}]}',
    ],
    ['true as text', '{"content":[],"isError":"true"}', '{"content":[],"isError":true}'],
    ['a list as structured content', '{"content":[],"structuredContent":[1]}', '{"content":[]}'],
    ['a text for a result', '"said"', '{"content":[{"type":"text","text":"said"}]}'],
    ['a number for a result', '42', '{"content":[{"type":"text","text":"42"}]}'],
    ['a list for a result', '[{"type":"text","text":"said"}]', '{"content":[{"type":"text","text":"said"}]}'],
    ['null for a result', 'null', '{"content":[]}'],
  ])('[NFR-R3] a call is answered with %s', (_what, result, expected) => {
    expect(CallToolResultSchema.safeParse(JSON.parse(result)).success).toBe(false);
    const mended = strictText('tools/call', result);
    expect(JSON.parse(mended ?? '')).toEqual(JSON.parse(expected));
    expect(CallToolResultSchema.safeParse(JSON.parse(mended ?? '')).success).toBe(true);
  });

  it.each([
    ['{"temperature":12345678901234567890}', '{"temperature":12345678901234567890}'],
    ['{"isError":true,"error":"disk full"}', 'disk full'],
    ['{"isError":true,"content":null,"error":{"code":5}}', '{"error":{"code":5}}'],
    ['{"structuredContent":[1,2]}', '{"structuredContent":[1,2]}'],
    [`{"rows":"${'x'.repeat(200_000)}"}`, 'x'.repeat(200_000)],
  ])('[NFR-R3] a call is answered with what the tool returned without content', (result, words) => {
    const shown = JSON.parse(strictText('tools/call', result) ?? '');
    expect(shown.content).toEqual([{ type: 'text', text: words }]);
    expect(CallToolResultSchema.safeParse(shown).success).toBe(true);
  });

  it.each(['{}', '{"_meta":{}}', '{"structuredContent":{"a":1}}', '{"task":{"taskId":"1"}}'])(
    'leaves a result that needs no content as it is: %s',
    (result) => {
      expect(strictText('tools/call', result)).toBe(result);
    },
  );

  it.each([
    ['without its address', '{"contents":[{"text":"said"}]}'],
    ['that stands alone', '{"contents":{"uri":"note://1","text":"said"}}'],
    ['that is a text', '{"contents":["said"]}'],
  ])('[NFR-R3] a resource is answered by a part %s', (_what, result) => {
    expect(ReadResourceResultSchema.safeParse(JSON.parse(result)).success).toBe(false);
    const mended = strictText('resources/read', result, { uri: 'note://1' });
    expect(JSON.parse(mended ?? '')).toEqual({ contents: [{ uri: 'note://1', text: 'said' }] });
  });

  it.each([
    ['without content', '{"uri":"a"}', { uri: 'a', text: '' }],
    ['whose blob is no base64', '{"uri":"a","blob":"so it is!"}', { uri: 'a', text: 'so it is!' }],
    ['in the base64 of addresses', '{"uri":"a","blob":"-_8="}', { uri: 'a', blob: '+/8=' }],
  ])('[NFR-R3] a resource is answered by a part %s, in a form that is read', (_what, part, expected) => {
    const result = `{"contents":[${part}]}`;
    expect(ReadResourceResultSchema.safeParse(JSON.parse(result)).success).toBe(false);
    const mended = JSON.parse(strictText('resources/read', result) ?? '');
    expect(mended).toEqual({ contents: [expected] });
    expect(ReadResourceResultSchema.safeParse(mended).success).toBe(true);
  });

  it.each([
    [
      'blocks in a list',
      '{"messages":[{"role":"assistant","content":[{"type":"text","text":"a"},"b"]}]}',
      ['a', 'b'],
    ],
    ['a role of a model', '{"messages":[{"role":"model","content":{"type":"text","text":"a"}}]}', ['a']],
    ['an unknown role', '{"messages":[{"role":"system","content":{"type":"text","text":"a"}}]}', ['a']],
    ['no role', '{"messages":[{"content":{"type":"text","text":"a"}}]}', ['a']],
    ['texts', '{"messages":["a",null,"b"]}', ['a', 'b']],
    ['one message', '{"messages":{"role":"user","content":"a"}}', ['a']],
    ['a block', '{"messages":[{"type":"text","text":"a"}]}', ['a']],
    ['one text', '{"messages":"a"}', ['a']],
    ['a text for a result', '"a"', ['a']],
    ['a list for a result', '[{"role":"user","content":{"type":"text","text":"a"}}]', ['a']],
    ['the content of a tool', '{"content":[{"type":"text","text":"a"}]}', ['a']],
    ['null', '{"messages":null}', []],
  ])('[NFR-R3] a prompt is answered with %s', (_what, result, texts) => {
    expect(GetPromptResultSchema.safeParse(JSON.parse(result)).success).toBe(false);
    const prompt = GetPromptResultSchema.parse(JSON.parse(strictText('prompts/get', result) ?? ''));
    expect(prompt.messages.map(({ content }) => content)).toEqual(
      texts.map((text) => ({ type: 'text', text })),
    );
  });

  it('a prompt keeps its roles', () => {
    const said = (role: string) => `{"role":"${role}","content":["a"]}`;
    const mended = strictText(
      'prompts/get',
      `{"messages":[${['user', 'assistant', 'model'].map(said).join()}]}`,
    );
    const { messages } = GetPromptResultSchema.parse(JSON.parse(mended ?? ''));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  });

  it.each([
    ['no list of values', '{"completion":{"values":null}}', []],
    ['one value', '{"completion":{"values":"a"}}', ['a']],
    ['numbers', '{"completion":{"values":[1,null,2.5]}}', ['1', '2.5']],
    ['null', '{"completion":null}', []],
    ['the values alone', '{"completion":["a"]}', ['a']],
    ['the values beside', '{"values":["a"],"total":1}', ['a']],
    ['a list for a result', '["a"]', ['a']],
    ['null for a result', 'null', []],
  ])('[NFR-R3] a completion is answered with %s', (_what, result, values) => {
    expect(CompleteResultSchema.safeParse(JSON.parse(result)).success).toBe(false);
    const mended = CompleteResultSchema.parse(JSON.parse(strictText('completion/complete', result) ?? ''));
    expect(mended.completion.values).toEqual(values);
  });

  it.each([
    ['under the name that tools use', '{"content":[{"uri":"note://1","text":"said"}]}'],
    ['in a bare list', '[{"text":"said"}]'],
    ['as a bare text', '"said"'],
  ])('[NFR-R3] a resource is answered %s', (_what, result) => {
    const mended = strictText('resources/read', result, { uri: 'note://1' });
    const { contents } = ReadResourceResultSchema.parse(JSON.parse(mended ?? ''));
    expect(contents).toEqual([{ uri: 'note://1', text: 'said' }]);
  });
});
