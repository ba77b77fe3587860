import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  JSONRPCMessageSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ProgressNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { strictMessage } from '../../../../../electron/engine/catalogue/strict/strict-message.ts';
import { readMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';

function messageOf(members: string) {
  const message = readMessage(Buffer.from(`{"jsonrpc":"2.0",${members}}`));
  if (message === undefined) throw new Error('This is no message.');
  return message;
}

describe('messages of servers for clients that refuse a whole one for a member that is null', () => {
  it.each([
    [
      CreateMessageRequestSchema,
      'sampling/createMessage',
      '{"messages":[{"role":"user","content":{"type":"text","text":"a","annotations":null}}],"maxTokens":1.0e2,"systemPrompt":null,"modelPreferences":{"hints":null,"costPriority":null},"stopSequences":null,"temperature":null,"includeContext":null,"metadata":[],"tools":null,"toolChoice":null,"_meta":null}',
      '{"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"maxTokens":1.0e2,"modelPreferences":{},"metadata":{}}',
    ],
    [
      ElicitRequestSchema,
      'elicitation/create',
      '{"message":"Name?","mode":null,"requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":null,"description":null}},"required":null}}',
      '{"message":"Name?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}',
    ],
    [ListRootsRequestSchema, 'roots/list', '{"_meta":null}', '{}'],
    [
      ListRootsRequestSchema,
      'roots/list',
      '{"_meta":{"progressToken":null,"io.modelcontextprotocol/related-task":null,"own":1}}',
      '{"_meta":{"own":1}}',
    ],
    [
      ProgressNotificationSchema,
      'notifications/progress',
      '{"progressToken":1,"progress":0.50,"total":null,"message":null}',
      '{"progressToken":1,"progress":0.50}',
    ],
    [
      LoggingMessageNotificationSchema,
      'notifications/message',
      '{"level":"info","logger":null,"data":{"a":null}}',
      '{"level":"info","data":{"a":null}}',
    ],
    [
      ResourceUpdatedNotificationSchema,
      'notifications/resources/updated',
      '{"uri":"note://1","_meta":[]}',
      '{"uri":"note://1","_meta":{}}',
    ],
  ])('[NFR-R3] %# pass without it', (schema, method, params, expected) => {
    const id = method.startsWith('notifications/') ? '' : '"id":7,';
    const message = messageOf(`${id}"method":"${method}","params":${params}`);
    const mended = strictMessage(message);
    expect(mended.paramsBytes?.toString()).toBe(expected);
    expect([mended.kind, mended.id, mended.method]).toEqual([message.kind, message.id, message.method]);
    expect(schema.safeParse(mended.value).success).toBe(true);
  });

  it.each([
    '"method":"notifications/message","params":{"level":"info","data":null}',
    '"method":"notifications/progress","params":{"progressToken":1,"progress":1,"total":2}',
    '"id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":5}',
    '"method":"notifications/acme","params":{"a":null}',
  ])('pass as they came where nothing is wrong: %s', (members) => {
    const message = messageOf(members);
    expect(strictMessage(message)).toBe(message);
  });
});

describe('messages of servers for clients that refuse a whole one for an unknown member', () => {
  it.each([
    ['"id":"a-1","method":"roots/list","time":12345', '{"jsonrpc":"2.0","id":"a-1","method":"roots/list"}'],
    [
      '"session":"x","method":"notifications/progress","params":{"progressToken":1,"progress":1.0}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1.0}}',
    ],
    [
      '"id":7, "ID":7,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1e2}',
      '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1e2}}',
    ],
  ])('[NFR-R3] come without it, the params unchanged: %s', (members, expected) => {
    const plain = strictMessage(messageOf(members));
    expect(plain.line().toString().trim()).toBe(expected);
    expect(JSONRPCMessageSchema.safeParse(plain.value).success).toBe(true);
  });
});
