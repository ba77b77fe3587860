import {
  BACKSLASH,
  BROKEN,
  CLOSE_BRACE,
  COLON,
  COMMA,
  matches,
  OPEN_BRACE,
  QUOTE,
  skipSpace,
  skipString,
  skipValue,
} from './json/json-scan.ts';

/** The parts of a message that a hub reads or replaces; everything else is payload. */
export const parts = {
  jsonrpc: 0,
  id: 2,
  method: 4,
  params: 6,
  result: 8,
  error: 10,
  /** Members of `params`. */
  name: 12,
  uri: 14,
  ref: 16,
  progressToken: 18,
  meta: 20,
  task: 28,
  arguments: 32,
  requestState: 40,
  /** Members of `params.ref`. */
  refName: 22,
  refUri: 24,
  /** Members of `params._meta`. */
  metaToken: 26,
  idempotencyKey: 30,
  clientCapabilities: 34,
  sessionCapabilities: 42,
  /** Members of `result`. */
  resultType: 36,
  resultMeta: 38,
} as const;

/**
 * Byte positions of the parts of a message. The JSON value of a part starts at `places[part]` (-1 if absent)
 * and ends before `places[part + 1]`.
 */
export type PartOffsets = readonly number[];

/**
 * Locates the parts in one pass that also verifies that the bytes are exactly one JSON object. Returns
 * undefined if they are not, or if only a full parse can decide: a part that occurs twice, or a key written
 * with escapes. Inside the payload both are allowed.
 */
export function scanEnvelope(bytes: Uint8Array): PartOffsets | undefined {
  const offsets = noOffsets.slice();
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_BRACE) return undefined;
  const end = scanObject(bytes, start, messageMembers, offsets);
  return end !== BROKEN && skipSpace(bytes, end) === bytes.length ? offsets : undefined;
}

/** Returns the parts of a `_meta`, given as JSON, by their number. */
export function scanMeta(meta: string): ReadonlyMap<number, string> {
  const bytes = Buffer.from(meta);
  const offsets = noOffsets.slice();
  if (bytes[0] === OPEN_BRACE) scanObject(bytes, 0, metaMembers, offsets);
  const found = metaMembers.filter(({ part }) => offsets[part] !== -1);
  return new Map(found.map(({ part }) => [part, bytes.toString('utf8', offsets[part], offsets[part + 1])]));
}

interface Member {
  readonly key: string;
  readonly part: number;
  /** Members to locate inside the value, if it is an object. */
  readonly members?: readonly Member[];
  /**
   * Duplicates are allowed because the part is only read, never replaced. The last one counts, as in
   * JSON.parse.
   */
  readonly mayRepeat?: true;
}

const refMembers: readonly Member[] = [
  { key: 'name', part: parts.refName },
  { key: 'uri', part: parts.refUri },
];
const metaMembers: readonly Member[] = [
  { key: 'progressToken', part: parts.metaToken },
  { key: 'patchbay/idempotencyKey', part: parts.idempotencyKey },
  { key: 'patchbay/clientCapabilities', part: parts.clientCapabilities },
  { key: 'patchbay/sessionCapabilities', part: parts.sessionCapabilities },
];
/** Parts inside of `params._meta`. */
export const metaParts: ReadonlySet<number> = new Set(metaMembers.map(({ part }) => part));
const paramsMembers: readonly Member[] = [
  { key: 'name', part: parts.name },
  { key: 'arguments', part: parts.arguments, mayRepeat: true },
  { key: '_meta', part: parts.meta, members: metaMembers },
  { key: 'uri', part: parts.uri },
  { key: 'ref', part: parts.ref, members: refMembers },
  { key: 'progressToken', part: parts.progressToken },
  { key: 'task', part: parts.task },
  { key: 'requestState', part: parts.requestState },
];
const resultMembers: readonly Member[] = [
  { key: 'resultType', part: parts.resultType, mayRepeat: true },
  { key: '_meta', part: parts.resultMeta, mayRepeat: true },
];
/** Members whose keys may be written with escapes, as PHP writes the slash in those of `_meta`. */
const escapable: ReadonlySet<readonly Member[]> = new Set([metaMembers, resultMembers]);
const messageMembers: readonly Member[] = [
  { key: 'id', part: parts.id },
  { key: 'jsonrpc', part: parts.jsonrpc },
  { key: 'method', part: parts.method },
  { key: 'params', part: parts.params, members: paramsMembers },
  { key: 'result', part: parts.result, members: resultMembers },
  { key: 'error', part: parts.error },
];
/** Offsets of a message that has none of the parts. */
export const noOffsets: readonly number[] = Object.values(parts).flatMap(() => [-1, -1]);

/** Returns the position after the object at `at`, and records where these members of it are. */
function scanObject(bytes: Uint8Array, at: number, members: readonly Member[], offsets: number[]): number {
  let position = skipSpace(bytes, at + 1);
  if (bytes[position] === CLOSE_BRACE) return position + 1;
  for (;;) {
    position = scanMember(bytes, position, members, offsets);
    if (position === BROKEN) return BROKEN;
    position = skipSpace(bytes, position);
    if (bytes[position] === CLOSE_BRACE) return position + 1;
    if (bytes[position] !== COMMA) return BROKEN;
    position = skipSpace(bytes, position + 1);
  }
}

function scanMember(bytes: Uint8Array, at: number, members: readonly Member[], offsets: number[]): number {
  if (bytes[at] !== QUOTE) return BROKEN;
  const keyEnd = skipString(bytes, at);
  if (keyEnd === BROKEN) return BROKEN;
  const colon = skipSpace(bytes, keyEnd);
  if (bytes[colon] !== COLON) return BROKEN;
  const start = skipSpace(bytes, colon + 1);
  const plain = findMember(bytes, at + 1, keyEnd - at - 2, members);
  const isEscaped = plain === undefined && hasEscape(bytes, at + 1, keyEnd);
  if (isEscaped && !escapable.has(members)) return BROKEN;
  const member = isEscaped ? findEscaped(bytes.subarray(at, keyEnd), members) : plain;
  if (member === undefined) return skipValue(bytes, start);
  const { part, members: inner } = member;
  if (offsets[part] !== -1 && member.mayRepeat !== true) return BROKEN;
  const isOpened = inner !== undefined && bytes[start] === OPEN_BRACE;
  const end = isOpened ? scanObject(bytes, start, inner, offsets) : skipValue(bytes, start);
  offsets[part] = start;
  offsets[part + 1] = end;
  return end;
}

function findMember(
  bytes: Uint8Array,
  at: number,
  length: number,
  members: readonly Member[],
): Member | undefined {
  for (const member of members) {
    if (member.key.length === length && matches(bytes, at, member.key)) return member;
  }
  return undefined;
}

function findEscaped(key: Uint8Array, members: readonly Member[]): Member | undefined {
  const name: unknown = JSON.parse(Buffer.from(key).toString('utf8'));
  return members.find((member) => member.key === name);
}

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position += 1) if (bytes[position] === BACKSLASH) return true;
  return false;
}
