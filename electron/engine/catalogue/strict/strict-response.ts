import { isRecord, scalarText } from '../../../../shared/json.ts';
import { RawMessage } from '../../jsonrpc/raw-message.ts';
import { readMessage } from '../../jsonrpc/read-message.ts';
import type { RawItem } from '../contract.ts';
import { readItem, serializeItems } from '../item-text.ts';
import {
  annotations,
  bool,
  icons,
  listOf,
  meta,
  number,
  type RepairMember,
  record,
  repairMembers,
  repairObject,
  text,
} from './repair-member.ts';

/**
 * Corrects a response for clients on the official SDKs, which drop or refuse it if one standard member is
 * null or has a wrong type. Checks members of results, content blocks and messages, but not the server's own
 * data in them. `params` are those of the request. Long responses without suspicious text are forwarded
 * unparsed.
 */
export function strictResponse(method: string, answer: unknown, params?: unknown): unknown {
  if (!(answer instanceof RawMessage)) return answer;
  const { resultBytes: bytes } = answer;
  if (bytes === undefined || bytes.length > maxParsedBytes) return answer;
  const members = resultMembers.get(method);
  const isCheap =
    bytes.length <= alwaysParsedBytes ||
    suspiciousTexts.some((sign) => bytes.includes(sign)) ||
    (method === 'tools/call' && !bytes.includes('"content"'));
  if (members === undefined || !isCheap) return withPlainEnvelope(answer, bytes);
  const read = readItem(bytes.toString());
  const result = resultOf(method, read);
  if (!isRecord(result)) return withPlainEnvelope(answer, bytes);
  const requestParams = isRecord(params) ? params : {};
  const whole = repairMembers(result, members, requestParams);
  if (whole === read) return withPlainEnvelope(answer, bytes);
  return responseOf(answer, Buffer.from(serializeItems([whole]).slice(1, -1)));
}

/** Leaves out whatever a server writes beside the result: these clients refuse unknown members there. */
function withPlainEnvelope(answer: RawMessage, result: Buffer): RawMessage {
  const { byteLength = 0, idText } = answer;
  const plainLength = envelopeLength + Buffer.byteLength(idText) + result.length;
  return byteLength < plainLength + shortestMember ? answer : responseOf(answer, result);
}

/** Length of a response without its id and result. */
const envelopeLength = '{"jsonrpc":"2.0","id":,"result":}'.length;
/** Length of `,"a":1`. Shorter differences are spaces. */
const shortestMember = 6;

function responseOf(answer: RawMessage, result: Buffer): RawMessage {
  const start = Buffer.from(`{"jsonrpc":"2.0","id":${answer.idText},"result":`);
  return readMessage(Buffer.concat([start, result, Buffer.from('}')])) ?? answer;
}

/** Gives a bare list, text or object the member in which the result of its method holds it. */
function resultOf(method: string, read: unknown): unknown {
  const [member, alias] = mainMembers.get(method) ?? [];
  if (member === undefined) return read;
  if (!isRecord(read)) return { [member]: read ?? [] };
  if (method === 'tools/call') return withContent(read);
  const isElsewhere = alias !== undefined && !Object.hasOwn(read, member) && Object.hasOwn(read, alias);
  return isElsewhere ? { ...read, [member]: read[alias] } : read;
}

/** Shows what a tool returned beside the members of the protocol, if it returned nothing in them. */
function withContent(result: RawItem): RawItem {
  const { content, structuredContent } = result;
  if ((content ?? undefined) !== undefined || isRecord(structuredContent)) return result;
  const returned = Object.entries(result).filter(
    ([name, value]) => (value ?? undefined) !== undefined && !envelopeMembers.has(name),
  );
  if (returned.length === 0 || returned.some(([name]) => otherForms.has(name))) return result;
  const [, only] = returned[0] ?? [];
  const isText = returned.length === 1 && typeof only === 'string';
  const isWhole = returned.length === Object.keys(result).length;
  const whole = isWhole
    ? serializeItems([result]).slice(1, -1)
    : JSON.stringify(Object.fromEntries(returned));
  return { ...result, content: [isText ? only : whole] };
}

/** Members that say nothing about what a tool returned. */
const envelopeMembers: ReadonlySet<string> = new Set(['_meta', 'isError', 'content']);
/** Members of the other results that a call may have. */
const otherForms: ReadonlySet<string> = new Set(['task', 'toolResult', 'resultType', 'inputRequests']);

/** Main member of each result, and another name that servers write for it. */
const mainMembers: ReadonlyMap<string, readonly [string, string?]> = new Map<
  string,
  readonly [string, string?]
>([
  ['tools/call', ['content']],
  ['prompts/get', ['messages', 'content']],
  ['resources/read', ['contents', 'content']],
  ['completion/complete', ['completion', 'values']],
]);

/** Larger responses would take noticeable time to parse. */
const maxParsedBytes = 4 * 1024 * 1024;
/** Smaller responses are cheap enough to parse always. */
const alwaysParsedBytes = 128 * 1024;

/**
 * Text that suggests null members or empty lists; inside strings the quote before the colon would be escaped.
 */
const suspiciousTexts = ['":null', '": null', '":[]', '": []', '[null', ',null', '"data:'].map((sign) =>
  Buffer.from(sign),
);

const uri = { uri: text, mimeType: text, _meta: record };

/** Converts any value to text, for tools that return a number or object directly. */
const toText: RepairMember = (value) => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

const blockMembers = repairObject({
  annotations,
  _meta: record,
  icons,
  title: text,
  description: text,
  mimeType: text,
  size: number,
  resource: repairObject(uri),
});

const mediaTypes: Readonly<Record<string, string>> = { image: 'image/png', audio: 'audio/wav' };

/** Adds the members that clients require for each type of block; undefined if one is missing. */
const blockForms: Readonly<Record<string, (block: RawItem) => RawItem | undefined>> = {
  text: (block) => (typeof block.text === 'string' ? block : { ...block, text: toText(block.text, block) }),
  image: media,
  audio: media,
  resource: (block) => {
    const { resource } = block;
    const holds = isRecord(resource) && [resource.text, resource.blob].some((one) => typeof one === 'string');
    if (!holds || typeof resource.uri !== 'string') return undefined;
    const repaired = part(resource, block);
    return repaired === resource ? block : { ...block, resource: repaired };
  },
  resource_link: (block) => {
    if (typeof block.uri !== 'string') return undefined;
    return typeof block.name === 'string' ? block : { ...block, name: block.uri };
  },
};

/** Corrects media given as a data URL, in another base64 or without a type; undefined if it is no base64. */
function media(block: RawItem): RawItem | undefined {
  const { data: written, mimeType, type } = block;
  if (typeof written !== 'string') return undefined;
  const [, statedType] = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60});base64,/.exec(written.slice(0, 140)) ?? [];
  const data = base64Of(statedType === undefined ? written : written.slice(written.indexOf(',') + 1));
  if (data === undefined) return undefined;
  if (data === written && typeof mimeType === 'string') return block;
  const assumedType = typeof mimeType === 'string' ? mimeType : mediaTypes[scalarText(type)];
  return { ...block, data, mimeType: statedType ?? assumedType };
}

/** Returns base64 in the alphabet that clients check; undefined for any other text. */
function base64Of(text: string): string | undefined {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  try {
    atob(standard);
    return standard;
  } catch {
    return undefined;
  }
}

/** Represents content that clients cannot display otherwise. */
function asText(value: unknown): RawItem {
  const { resource } = isRecord(value) ? value : {};
  const inner = isRecord(resource) && typeof resource.text === 'string' ? resource.text : undefined;
  return { type: 'text', text: inner ?? toText(value, {}) };
}

const block: RepairMember = (value, requestParams) => {
  if (value === null) return undefined;
  const repaired = blockMembers(value, requestParams);
  if (!isRecord(repaired)) return asText(value);
  const isUntyped = typeof repaired.type !== 'string' && typeof repaired.text === 'string';
  const typed = isUntyped ? { ...repaired, type: 'text' } : repaired;
  const kind = scalarText(typed.type);
  const form = Object.hasOwn(blockForms, kind) ? blockForms[kind] : undefined;
  return form?.(typed) ?? asText(value);
};

/** Makes a message of each block, since a message of a prompt has one; a bare text is a message of the user. */
const messagesOf = (value: unknown, requestParams: RawItem): readonly unknown[] => {
  if (value === null) return [];
  const message = isRecord(value) && Object.hasOwn(value, 'content') ? value : { content: value };
  const role = roles.get(message.role) ?? 'user';
  const blocks = Array.isArray(message.content) ? message.content : [message.content];
  const repaired = blocks.map((one) => block(one, requestParams)).filter((one) => one !== undefined);
  const isUnchanged = message === value && role === message.role && repaired[0] === message.content;
  return isUnchanged ? [value] : repaired.map((one) => ({ ...message, role, content: one }));
};

/** The two roles of the protocol, and what models call the second. */
const roles: ReadonlyMap<unknown, string> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['ai', 'assistant'],
]);

const messages: RepairMember = (value, requestParams) => {
  const list = Array.isArray(value) ? value : [value];
  const repaired = list.flatMap((one) => messagesOf(one, requestParams));
  const isUnchanged = list === value && repaired.length === list.length;
  return isUnchanged && repaired.every((one, index) => one === list[index]) ? value : repaired;
};

/** Completes with the values that are text or can be written as one. */
const completion: RepairMember = (value, requestParams) => {
  const whole = isRecord(value) ? value : { values: value };
  const { values } = whole;
  const listed = values === null || values === undefined ? [] : Array.isArray(values) ? values : [values];
  const repaired = listOf((one) => (one === null ? undefined : toText(one, requestParams)))(
    listed,
    requestParams,
  );
  const named = repaired === values ? whole : { ...whole, values: repaired };
  return repairObject({ total: number, hasMore: bool })(named, requestParams);
};

/** Wraps a single block or text in a list. */
const content: RepairMember = (value, requestParams) => {
  if (value === null) return undefined;
  return listOf(block)(Array.isArray(value) ? value : [value], requestParams);
};

/** Corrects a part of a resource; its URI defaults to the requested one. */
const part: RepairMember = (value, requestParams) => {
  const whole = typeof value === 'string' ? { text: value } : repairObject(uri)(value, requestParams);
  if (!isRecord(whole)) return undefined;
  const named = typeof whole.uri === 'string' ? whole : { uri: requestParams.uri, ...whole };
  if (typeof named.text === 'string') return named;
  const { blob: written, ...rest } = named;
  if (typeof written !== 'string') return { ...named, text: toText(named.text, requestParams) };
  const blob = base64Of(written);
  if (blob === undefined) return { ...rest, text: written };
  return blob === written ? named : { ...rest, blob };
};

const parts: RepairMember = (value, requestParams) =>
  listOf(part)(Array.isArray(value) ? value : [value], requestParams);

/** The members of results that clients check, by method. */
const resultMembers: ReadonlyMap<string, Readonly<Record<string, RepairMember>>> = new Map<
  string,
  Readonly<Record<string, RepairMember>>
>([
  ['tools/call', { _meta: meta, isError: bool, structuredContent: record, content }],
  ['prompts/get', { _meta: meta, description: text, messages }],
  ['resources/read', { _meta: meta, contents: parts }],
  ['completion/complete', { _meta: meta, completion }],
]);
