import { isRecord } from '../../../../shared/json.ts';
import { RawMessage } from '../../jsonrpc/raw-message.ts';
import { readMessage } from '../../jsonrpc/read-message.ts';
import type { RawItem } from '../contract.ts';
import { readItem, serializeItems, withMembers } from '../item-text.ts';
import {
  annotations,
  bool,
  icons,
  listOf,
  number,
  type RepairMember,
  record,
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
  const members = resultMembers.get(method);
  if (members === undefined || !(answer instanceof RawMessage)) return answer;
  const { resultBytes: bytes } = answer;
  if (bytes === undefined || bytes.length > maxParsedBytes) return answer;
  if (bytes.length > alwaysParsedBytes && !suspiciousTexts.some((sign) => bytes.includes(sign)))
    return answer;
  const read = readItem(bytes.toString());
  const result = method === 'tools/call' && !isRecord(read) ? { content: read ?? [] } : read;
  if (!isRecord(result)) return answer;
  const requestParams = isRecord(params) ? params : {};
  const changes = Object.entries(members).flatMap(([name, repair]) => {
    if (!Object.hasOwn(result, name)) return [];
    const repaired = repair(result[name], requestParams);
    return repaired === result[name] && repaired !== undefined ? [] : [[name, repaired] as const];
  });
  if (changes.length === 0 && result === read) return answer;
  const written = serializeItems([withMembers(result, Object.fromEntries(changes))]).slice(1, -1);
  const repaired = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":${answer.idText},"result":${written}}`));
  return repaired ?? answer;
}

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
    return holds && typeof resource.uri === 'string' ? block : undefined;
  },
  resource_link: (block) => {
    if (typeof block.uri !== 'string') return undefined;
    return typeof block.name === 'string' ? block : { ...block, name: block.uri };
  },
};

/** Corrects media given as a data URL, or without a type. */
function media(block: RawItem): RawItem | undefined {
  const { data, mimeType, type } = block;
  if (typeof data !== 'string') return undefined;
  const [, statedType] = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60});base64,/.exec(data.slice(0, 140)) ?? [];
  if (statedType !== undefined)
    return { ...block, data: data.slice(data.indexOf(',') + 1), mimeType: statedType };
  return typeof mimeType === 'string' ? block : { ...block, mimeType: mediaTypes[String(type)] };
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
  const form = Object.hasOwn(blockForms, String(typed.type)) ? blockForms[String(typed.type)] : undefined;
  return form?.(typed) ?? asText(value);
};

const blocks: RepairMember = (value, requestParams) =>
  Array.isArray(value) ? listOf(block)(value, requestParams) : block(value, requestParams);

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
  const holds = [whole.text, whole.blob].some((one) => typeof one === 'string');
  return holds || whole.text === undefined ? named : { ...named, text: toText(whole.text, requestParams) };
};

const parts: RepairMember = (value, requestParams) =>
  listOf(part)(Array.isArray(value) ? value : [value], requestParams);

/** The members of results that clients check, by method. */
const resultMembers: ReadonlyMap<string, Readonly<Record<string, RepairMember>>> = new Map<
  string,
  Readonly<Record<string, RepairMember>>
>([
  ['tools/call', { _meta: record, isError: bool, structuredContent: record, content }],
  ['prompts/get', { _meta: record, description: text, messages: listOf(repairObject({ content: blocks })) }],
  ['resources/read', { _meta: record, contents: parts }],
  ['completion/complete', { _meta: record, completion: repairObject({ total: number, hasMore: bool }) }],
]);
