import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../../../shared/json.ts';
import { editMembers, readMember } from '../../jsonrpc/json/edit-json.ts';
import { elementSpans } from '../../jsonrpc/json/json-spans.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { readMessage } from '../../jsonrpc/read-message.ts';

/** Arguments of a tool that are repeated in headers: the header's name, and the path of the argument. */
export interface ParamHeader {
  readonly header: string;
  readonly path: readonly string[];
}

const marker = 'x-mcp-header';
const tokenPattern = /^[\w!#$%&'*+.^`|~-]{1,128}$/;
const primitives: ReadonlySet<unknown> = new Set(['integer', 'string', 'boolean']);

/** Returns the headers that an input schema asks for; undefined if it breaks the rules. */
export function paramHeadersOf(inputSchema: unknown): readonly ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  // A list of places instead of recursion: a schema may be nested as deeply as its writer likes.
  const places: Place[] = [{ schema: inputSchema, path: [] }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const header = headerAt(place);
    if (header === 'broken') return undefined;
    if (header !== undefined) found.push(header);
    for (const inner of placesIn(place)) places.push(inner);
  }
  return isUnique(found) ? found.reverse() : undefined;
}

/** A value inside of a schema. */
interface Place {
  readonly schema: unknown;
  /** Path of the argument that it describes; undefined where no single argument is described. */
  readonly path: readonly string[] | undefined;
}

function headerAt({ schema, path }: Place): ParamHeader | 'broken' | undefined {
  if (!isRecord(schema) || !Object.hasOwn(schema, marker)) return undefined;
  const header = schema[marker];
  const isAllowed = path !== undefined && path.length > 0 && primitives.has(schema.type);
  if (!isAllowed || typeof header !== 'string' || !tokenPattern.test(header)) return 'broken';
  return { header, path };
}

function placesIn({ schema, path }: Place): readonly Place[] {
  if (Array.isArray(schema)) return schema.map((item) => ({ schema: item, path: undefined }));
  if (!isRecord(schema)) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name !== 'properties' || !isRecord(value)) return [{ schema: value, path: undefined }];
    const isReachable = path !== undefined && path.length < maxDepth;
    return Object.entries(value).map(([key, inner]) => ({
      schema: inner,
      path: isReachable ? [...path, key] : undefined,
    }));
  });
}

function isUnique(found: readonly ParamHeader[]): boolean {
  return new Set(found.map(({ header }) => header.toLowerCase())).size === found.length;
}

/** Returns the values of the headers for these arguments; absent and null arguments have none. */
export function paramHeaderValues(
  headers: readonly ParamHeader[],
  args: unknown,
): readonly (readonly [string, string])[] {
  return headers.flatMap(({ header, path }) => {
    const value = repeatedText(argumentAt(args, path));
    return value === undefined ? [] : [[`Mcp-Param-${header}`, encodeHeader(value)] as const];
  });
}

/**
 * Compares headers with the arguments that they repeat; returns what is wrong, for people. A header without
 * an argument means nothing, and is not expected.
 */
export function paramFault(
  declared: readonly ParamHeader[],
  headers: IncomingHttpHeaders,
  args: unknown,
): string | undefined {
  for (const { header, path } of declared) {
    const value = argumentAt(args, path);
    const text = repeatedText(value);
    if (text === undefined) continue;
    const sent = headers[`mcp-param-${header.toLowerCase()}`];
    const named = `The Mcp-Param-${header} header`;
    const argument = `params.arguments.${path.join('.')}`;
    if (typeof sent !== 'string') return `${named} is missing, although ${argument} has a value`;
    const decoded = decodeHeader(sent);
    if (decoded === undefined) return `${named} cannot be decoded`;
    if (!isSameValue(decoded, value, text)) return `${named} must repeat ${argument}`;
  }
  return undefined;
}

function argumentAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    args,
  );
}

/** The text of an argument in its header; numbers that lose digits in a double have none. */
function repeatedText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return String(value);
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
    default:
      return undefined;
  }
}

/** Numbers are compared as such: `42.0` is 42. */
function isSameValue(decoded: string, value: unknown, text: string): boolean {
  const isNumber = typeof value === 'number' && /^-?\d+(?:\.\d+)?$/.test(decoded);
  return isNumber ? Number(decoded) === value : decoded === text;
}

/** Encodes a header value that cannot be sent as it is. */
export function encodeHeader(value: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value && !value.startsWith('=?');
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** Decodes a header value; undefined if it is malformed. One without the whole wrapper means itself. */
export function decodeHeader(value: string): string | undefined {
  const trimmed = value.trim();
  if (!/^[\x20-\x7e\t]*$/.test(trimmed)) return undefined;
  const encoded = trimmed.startsWith('=?') ? /^=\?base64\?(.*)\?=$/i.exec(trimmed)?.[1] : undefined;
  if (encoded === undefined) return trimmed;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined;
  return bytes.toString('utf8');
}

/** The header annotations of a server's tools, by the name of the tool. */
export class ToolHeaders {
  readonly #byTool = new Map<string, readonly ParamHeader[]>();

  headersOf(tool: string): readonly ParamHeader[] {
    return this.#byTool.get(tool) ?? [];
  }

  /** Learns from the result of `tools/list`, and removes tools whose annotations break the rules. */
  readList(message: RawMessage): RawMessage {
    const result = message.resultBytes;
    const mayMatter = this.#byTool.size > 0 || result?.includes(marker) === true;
    const list = result !== undefined && mayMatter ? readMember(result, ['tools']) : undefined;
    if (list === undefined) return message;
    const listed = elementSpans(list, 0).map(({ start, end }) => list.subarray(start, end));
    const kept = listed.filter((tool) => this.#learn(JSON.parse(tool.toString('utf8'))));
    if (kept.length === listed.length) return message;
    const tools = Buffer.from(`[${kept.map((tool) => tool.toString('utf8')).join(',')}]`);
    const edited = editMembers(message.line(), ['result'], [{ name: 'tools', value: tools }]);
    return readMessage(edited) ?? message;
  }

  /** Returns false for a tool that must be dropped. */
  #learn(tool: unknown): boolean {
    if (!isRecord(tool) || typeof tool.name !== 'string') return true;
    const headers = paramHeadersOf(tool.inputSchema);
    if (headers === undefined || headers.length === 0) this.#byTool.delete(tool.name);
    else this.#byTool.set(tool.name, headers);
    return headers !== undefined;
  }
}

const maxDepth = 16;
