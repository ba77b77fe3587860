import {
  CallToolResultSchema,
  CompleteResultSchema,
  GetPromptResultSchema,
  JSONRPCResultResponseSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { strictAnswer } from '../../../../electron/engine/catalogue/strict-answer.ts';
import type { RawMessage } from '../../../../electron/engine/rpc/raw-message.ts';
import { readMessage } from '../../../../electron/engine/rpc/read-message.ts';

function answerOf(result: string): RawMessage {
  const message = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":7,"result":${result}}`));
  if (message === undefined) throw new Error('This is no answer.');
  return message;
}

function strictText(method: string, result: string): string | undefined {
  return (strictAnswer(method, answerOf(result)) as RawMessage).resultBytes?.toString();
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
    expect(strictAnswer(method, answer)).toBe(answer);
  });
});
