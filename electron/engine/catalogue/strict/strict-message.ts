import { isRecord } from '../../../../shared/json.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { readMessage } from '../../jsonrpc/read-message.ts';
import { readItem, serializeItems } from '../item-text.ts';
import {
  annotations,
  listOf,
  meta,
  number,
  oneOf,
  type RepairMember,
  record,
  repairMembers,
  repairObject,
  text,
} from './repair-member.ts';
import { repairInputSchema } from './repair-schema.ts';

/**
 * Corrects a request or notification of a server for clients on the official SDKs, which refuse or drop it if
 * an optional standard member is null, or an empty list for an object, or if there are members beside the
 * params. Returns any other message as it is.
 */
export function strictMessage<Message extends RawMessage>(message: Message): Message {
  const members = paramMembers.get(message.method ?? '');
  const bytes = paramsOf(message);
  if (bytes !== undefined && bytes.length > maxParsedBytes) return message;
  const isSuspicious = bytes !== undefined && suspiciousTexts.some((sign) => bytes.includes(sign));
  if (members === undefined || !isSuspicious) return withPlainEnvelope(message, bytes);
  const params = readItem(bytes.toString());
  const repaired = isRecord(params) ? repairMembers(params, members) : params;
  if (!isRecord(repaired) || repaired === params) return withPlainEnvelope(message, bytes);
  return withParams(message, Buffer.from(serializeItems([repaired]).slice(1, -1)));
}

/** Leaves out whatever a server writes beside the params: these clients refuse unknown members there. */
function withPlainEnvelope<Message extends RawMessage>(message: Message, params?: Buffer): Message {
  const { byteLength = 0 } = message;
  const plainLength = startOf(message, params).length + (params?.length ?? 0) + 1;
  return byteLength < plainLength + shortestMember ? message : withParams(message, params);
}

/** Length of `,"a":1`. Shorter differences are spaces. */
const shortestMember = 6;

function startOf({ kind, method, idText }: RawMessage, params: Buffer | undefined): Buffer {
  const id = kind === 'request' ? `"id":${idText},` : '';
  const name = params === undefined ? '' : ',"params":';
  return Buffer.from(`{"jsonrpc":"2.0",${id}"method":${JSON.stringify(method)}${name}`);
}

function withParams<Message extends RawMessage>(message: Message, params?: Buffer): Message {
  const line = Buffer.concat([startOf(message, params), params ?? Buffer.alloc(0), Buffer.from('}')]);
  const read = readMessage(line, message.source);
  return read?.kind === message.kind ? (read as Message) : message;
}

function paramsOf(message: RawMessage): Buffer | undefined {
  return message.paramsBytes ?? (message.params && Buffer.from(JSON.stringify(message.params)));
}

/** Larger messages would take noticeable time to parse. */
const maxParsedBytes = 4 * 1024 * 1024;
const suspiciousTexts = ['":null', '": null', '":[]', '": []', '[null', ',null'].map((sign) =>
  Buffer.from(sign),
);

type Members = Readonly<Record<string, RepairMember>>;

const content: RepairMember = (value, item) => {
  const block = repairObject({ annotations, _meta: record, mimeType: text, title: text });
  return Array.isArray(value) ? listOf(block)(value, item) : block(value, item);
};

/** The form of a question, or undefined for a question by URL. */
const form: RepairMember = (value) => (value === null ? undefined : repairInputSchema(value));

const sampling: Members = {
  _meta: meta,
  messages: listOf(repairObject({ content, _meta: record })),
  systemPrompt: text,
  includeContext: oneOf('none', 'thisServer', 'allServers'),
  temperature: number,
  stopSequences: listOf(text),
  metadata: record,
  modelPreferences: repairObject({
    hints: listOf(repairObject({ name: text })),
    costPriority: number,
    speedPriority: number,
    intelligencePriority: number,
  }),
  tools: (value) => value ?? undefined,
  toolChoice: record,
  task: record,
};

/** The members of params that clients check, by method. */
const paramMembers: ReadonlyMap<string, Members> = new Map<string, Members>([
  ['sampling/createMessage', sampling],
  ['elicitation/create', { _meta: meta, mode: text, requestedSchema: form, task: record }],
  ['roots/list', { _meta: meta }],
  ['notifications/progress', { _meta: meta, total: number, message: text }],
  ['notifications/message', { _meta: meta, logger: text }],
  ['notifications/resources/updated', { _meta: meta }],
  ['notifications/elicitation/complete', { _meta: meta }],
  ['notifications/tasks/status', { _meta: meta, statusMessage: text, pollInterval: number }],
]);
