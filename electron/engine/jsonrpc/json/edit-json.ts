import {
  BACKSLASH,
  BROKEN,
  CLOSE_BRACE,
  COMMA,
  OPEN_BRACE,
  QUOTE,
  skipKey,
  skipSpace,
  skipString,
  skipValue,
} from './json-scan.ts';

/** Sets a member to a value, given as JSON; removes it if there is no value. */
export interface MemberEdit {
  readonly name: string;
  readonly value: Buffer | undefined;
}

/**
 * Sets, inserts or removes members of the object at `path` (`[]` is the outermost one) and leaves every other
 * byte as it was. New members go last. Missing objects on the path are made if a value is set. Of a repeated
 * member the last counts, as in JSON.parse, and all are edited alike, so that every reader sees the same. Returns
 * the same buffer if nothing changes. Throws a SyntaxError if the bytes are not one JSON object, and a
 * TypeError if a value is to be set inside something that is not an object. Values are not checked; a name may
 * occur once among the edits.
 */
export function editMembers(bytes: Buffer, path: readonly string[], edits: readonly MemberEdit[]): Buffer {
  const [name, ...inner] = path;
  if (name === undefined) return editObject(bytes, new Map(edits.map((edit) => [edit.name, edit.value])));
  const before = memberValue(bytes, name);
  if (before === undefined || before[0] !== OPEN_BRACE) {
    if (edits.every(({ value }) => value === undefined)) return bytes;
    if (before !== undefined) throw new TypeError(`${JSON.stringify(name)} is not an object`);
  }
  const after = editMembers(before ?? EMPTY_OBJECT, inner, edits);
  return after === before ? bytes : editObject(bytes, new Map([[name, after]]));
}

/**
 * Returns the JSON of the member at `path`, without the space around it; a view, not a copy. Undefined if
 * there is none, or if the bytes are not JSON. Of a repeated member the last counts.
 */
export function readMember(bytes: Buffer, path: readonly string[]): Buffer | undefined {
  let value = path.length === 0 ? wholeValue(bytes) : bytes;
  for (const name of path) {
    const members = value && readObject(value)?.members;
    const member = members?.findLast((one) => one.name === name);
    value = member && value?.subarray(member.value, member.end);
  }
  return value;
}

function wholeValue(bytes: Buffer): Buffer | undefined {
  const start = skipSpace(bytes, 0);
  const end = skipValue(bytes, start);
  return end === BROKEN || skipSpace(bytes, end) !== bytes.length ? undefined : bytes.subarray(start, end);
}

const EMPTY_OBJECT = Buffer.from('{}');

interface Member {
  readonly name: string;
  /** Positions of the key's first quote, of the value, and after the value. */
  readonly key: number;
  readonly value: number;
  readonly end: number;
}

function editObject(bytes: Buffer, edits: ReadonlyMap<string, Buffer | undefined>): Buffer {
  const { open, members } = scanObject(bytes);
  const kept = members.filter(({ name }) => !edits.has(name) || edits.get(name) !== undefined);
  const names = new Set(members.map(({ name }) => name));
  const added = [...edits].filter(([name, value]) => value !== undefined && !names.has(name));
  if (added.length === 0 && !members.some(({ name }) => edits.has(name))) return bytes;

  const output = [bytes.subarray(0, members[0]?.key ?? open + 1)];
  for (const [index, { name, key, value, end }] of kept.entries()) {
    const previous = kept[index - 1];
    if (previous !== undefined) output.push(separatorAfter(bytes, previous));
    output.push(bytes.subarray(key, value), edits.get(name) ?? bytes.subarray(value, end));
  }
  for (const [index, [name, value = EMPTY_OBJECT]] of added.entries()) {
    const comma = kept.length + index > 0 ? ',' : '';
    output.push(Buffer.from(`${comma}${JSON.stringify(name)}:`), value);
  }
  output.push(bytes.subarray(members.at(-1)?.end ?? open + 1));
  return Buffer.concat(output);
}

/** Returns the comma after the member, with the space around it. */
function separatorAfter(bytes: Buffer, { end }: Member): Buffer {
  return bytes.subarray(end, skipSpace(bytes, skipSpace(bytes, end) + 1));
}

function memberValue(bytes: Buffer, name: string): Buffer | undefined {
  const member = scanObject(bytes).members.findLast((one) => one.name === name);
  return member && bytes.subarray(member.value, member.end);
}

interface ObjectParts {
  /** Position of its brace. */
  readonly open: number;
  readonly members: readonly Member[];
}

/** Throws a SyntaxError if there is no object. */
function scanObject(bytes: Buffer): ObjectParts {
  const parts = readObject(bytes);
  if (parts === undefined) throw new SyntaxError('Not a JSON object');
  return parts;
}

/** Reads the bytes once; undefined if they are not one JSON object. */
function readObject(bytes: Buffer): ObjectParts | undefined {
  const open = skipSpace(bytes, 0);
  if (bytes[open] !== OPEN_BRACE) return undefined;
  const members: Member[] = [];
  let position = skipSpace(bytes, open + 1);
  if (bytes[position] !== CLOSE_BRACE) {
    for (;;) {
      const member = readMemberAt(bytes, position);
      if (member === undefined) return undefined;
      members.push(member);
      position = skipSpace(bytes, member.end);
      if (bytes[position] !== COMMA) break;
      position = skipSpace(bytes, position + 1);
    }
  }
  const isWhole = bytes[position] === CLOSE_BRACE && skipSpace(bytes, position + 1) === bytes.length;
  return isWhole ? { open, members } : undefined;
}

function readMemberAt(bytes: Buffer, key: number): Member | undefined {
  const value = bytes[key] === QUOTE ? skipKey(bytes, key) : BROKEN;
  const end = value === BROKEN ? BROKEN : skipValue(bytes, value);
  return end === BROKEN ? undefined : { name: nameAt(bytes, key), key, value, end };
}

function nameAt(bytes: Buffer, key: number): string {
  const end = skipString(bytes, key);
  const isPlain = !bytes.subarray(key, end).includes(BACKSLASH);
  return isPlain ? bytes.toString('utf8', key + 1, end - 1) : JSON.parse(bytes.toString('utf8', key, end));
}
