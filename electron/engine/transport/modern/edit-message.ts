import { editMembers, type MemberEdit, readMember } from '../../jsonrpc/json/edit-json.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { readMessage, toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import { hopKeys, metaKeys, reservedPrefix } from './protocol.ts';

/** Returns the message with members of the object at `path` set or removed; all other bytes stay. */
export function editMessage(
  message: RawMessage,
  path: readonly string[],
  edits: readonly MemberEdit[],
): RawMessage {
  const line = message.line();
  const before = readMember(line, path);
  const [last, ...parents] = path.toReversed();
  // Clients and servers that write `_meta: null` mean none.
  const isObject = before === undefined || before[0] === OPEN_BRACE || last === undefined;
  const opened = isObject
    ? line
    : editMembers(line, parents.toReversed(), [{ name: last, value: jsonBytes({}) }]);
  return parseEdited(editMembers(opened, path, edits));
}

/** Removes the envelope and our own hop keys from the `_meta` at `path`, and `_meta` if nothing else is in it. */
export function withoutReserved(
  message: RawMessage,
  path: readonly ['params' | 'result', '_meta'],
): RawMessage {
  const [parent, last] = path;
  const meta = parent === 'params' ? message.paramText('meta') : message.resultMeta;
  if (meta?.[0] !== '{' || !mayNameReserved(meta)) return message;
  const names = Object.keys(JSON.parse(meta));
  const reserved = names.filter((name) => envelopeKeys.has(name));
  if (reserved.length === 0) return message;
  const line = message.line();
  if (reserved.length === names.length)
    return parseEdited(editMembers(line, [parent], [{ name: last, value: undefined }]));
  const edits = reserved.map((name) => ({ name, value: undefined }));
  return parseEdited(editMembers(line, path, edits));
}

/** Tells quickly whether a `_meta` may have reserved members; names may be written with escapes, as in PHP. */
function mayNameReserved(meta: string): boolean {
  return meta.includes(reservedPrefix) || meta.includes('patchbay/') || meta.includes('\\');
}

/**
 * Sets members of the `_meta` of a request, and removes all others that are reserved or our own. `id` is JSON, and
 * replaces that of the request. Edits that stay the same array cost less.
 */
export function stampMeta(
  request: RawMessage,
  edits: readonly MemberEdit[],
  id = request.idText,
): RawMessage {
  const meta = request.paramText('meta');
  if (meta?.[0] === '{') return request.with({ id, params: { meta: stampedMeta(meta, edits) } });
  const value = Buffer.from(stampedMeta('{}', edits));
  return editMessage(request, ['params'], [{ name: '_meta', value }]).with({ id });
}

/** Edits a `_meta` in JSON. The last one is kept with the edits, since most requests of a client have the same. */
function stampedMeta(meta: string, edits: readonly MemberEdit[]): string {
  const last = lastStamps.get(edits);
  if (last?.meta === meta) return last.stamped;
  const set = new Set(edits.map(({ name }) => name));
  const removed = removals.filter(({ name }) => !set.has(name));
  const stamped = editMembers(Buffer.from(meta), [], [...removed, ...edits]).toString('utf8');
  if (meta.length <= maxKeptLength) lastStamps.set(edits, { meta, stamped });
  return stamped;
}

const lastStamps = new WeakMap<readonly MemberEdit[], { readonly meta: string; readonly stamped: string }>();
const maxKeptLength = 4_096;

/** Removes our own members from a request or log message of a server, for a client with a session. */
export function withoutHopKeys(wire: WireMessage): WireMessage {
  const { method } = wire as { readonly method?: unknown };
  if (method === undefined) return wire;
  const message = toRaw(wire);
  const mayHave = message.kind === 'request' || method === 'notifications/message';
  return mayHave ? withoutReserved(message, ['params', '_meta']) : wire;
}

/** Removes all members of the stateless protocol from a request, for a server with sessions. */
export function toLegacyRequest(request: RawMessage): RawMessage {
  const stripped = withoutReserved(request, ['params', '_meta']);
  if (!stripped.line().includes('"inputResponses"')) return stripped;
  return editMessage(stripped, ['params'], [{ name: 'inputResponses', value: undefined }]);
}

/** Parses the params without keeping the result in the message, which may live long. */
export function parseParams(message: RawMessage): Readonly<Record<string, unknown>> {
  const { paramsBytes } = message;
  return (paramsBytes === undefined ? message.params : JSON.parse(paramsBytes.toString('utf8'))) ?? {};
}

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Tells whether JSON, without space before it, is an object. */
export function isObject(json: Buffer): boolean {
  return json[0] === OPEN_BRACE;
}

/** A message with this result, given as JSON. */
export function resultMessage(id: JsonRpcId, result: Buffer): RawMessage {
  return messageOf(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, result, '}');
}

/** Reads a message that was put together from JSON. */
export function messageOf(...parts: readonly (string | Buffer)[]): RawMessage {
  return parseEdited(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
  );
}

function parseEdited(line: Buffer): RawMessage {
  const edited = readMessage(line);
  if (edited === undefined) throw new Error('A message was broken by editing it');
  return edited;
}

const OPEN_BRACE = 0x7b;
const envelopeKeys: ReadonlySet<string> = new Set([...Object.values(metaKeys), ...Object.values(hopKeys)]);
const removals: readonly MemberEdit[] = [...envelopeKeys].map((name) => ({ name, value: undefined }));
