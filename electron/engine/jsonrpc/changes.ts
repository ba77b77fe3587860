import type { PartOffsets } from './envelope.ts';

/** A text that takes the place of a part, whose bytes are from `start` to `end`. */
export interface Change {
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Bytes that the message has more for it; counted once, because several readers ask. */
  readonly growth: number;
}

export function createChange(part: number, start: number, end: number, text: string): Change {
  return { part, start, end, text, growth: Buffer.byteLength(text) - (end - start) };
}

export const noChanges: readonly Change[] = [];

export function changeOf(changes: readonly Change[], part: number): Change | undefined {
  for (const change of changes) if (change.part === part) return change;
  return undefined;
}

/** Adds a change in its place, unless the message lacks the part; it replaces those inside of it. */
export function addChange(changes: Change[], offsets: PartOffsets, part: number, text: string): void {
  const [start = -1, end = -1] = [offsets[part], offsets[part + 1]];
  if (start === -1) return;
  const added = createChange(part, start, end, text);
  let from = 0;
  while ((changes[from]?.end ?? end) <= start) from += 1;
  let to = from;
  while ((changes[to]?.start ?? end) < end) to += 1;
  // Most are the last one so far, or replace one.
  if (from === changes.length) changes.push(added);
  else if (to === from + 1) changes[from] = added;
  else changes.splice(from, to - from, added);
}

export function isChanged(changes: readonly Change[], start: number, end: number): boolean {
  for (const change of changes) if (change.start < end && change.end > start) return true;
  return false;
}

/** Returns the number of bytes that changes before a position add. */
export function growthBefore(changes: readonly Change[], position: number): number {
  let growth = 0;
  for (const change of changes) if (change.end <= position) growth += change.growth;
  return growth;
}

export function lengthOfLine(bytes: Buffer, changes: readonly Change[]): number {
  return bytes.length + growthBefore(changes, bytes.length) + (isLine(bytes) ? 0 : 1);
}

export function isLine(bytes: Buffer): boolean {
  return bytes[bytes.length - 1] === NEWLINE;
}

/** Makes the changes, and ends the line if it has no end yet. */
export function splice(bytes: Buffer, changes: readonly Change[]): Buffer {
  const spliced = Buffer.allocUnsafe(lengthOfLine(bytes, changes));
  const written = spliceInto(spliced, bytes, changes, 0, bytes.length);
  if (written < spliced.length) spliced[written] = NEWLINE;
  return spliced;
}

/** Returns the bytes from `start` to `end` with the changes among them. */
export function splicePart(bytes: Buffer, changes: readonly Change[], start: number, end: number): Buffer {
  const among = changes.filter((change) => change.start < end && change.end > start);
  const spliced = Buffer.allocUnsafe(end - start + growthBefore(among, end));
  spliceInto(spliced, bytes, among, start, end);
  return spliced;
}

/** Returns the position after what was written. */
function spliceInto(
  target: Buffer,
  bytes: Buffer,
  changes: readonly Change[],
  from: number,
  to: number,
): number {
  let read = from;
  let written = 0;
  for (const change of changes) {
    written = copy(bytes, read, change.start, target, written);
    written = write(change, target, written);
    read = change.end;
  }
  return copy(bytes, read, to, target, written);
}

/** Writes the text of a change, and returns the position after it. */
function write({ start, end, text, growth }: Change, target: Buffer, at: number): number {
  const isPlain = growth + end - start === text.length;
  if (!isPlain || text.length > fewBytes) return at + target.write(text, at);
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/** Copies the bytes from `start` to `end`, and returns the position after them in `target`. */
function copy(bytes: Buffer, start: number, end: number, target: Buffer, at: number): number {
  if (end - start > fewBytes) return at + bytes.copy(target, at, start, end);
  let position = at;
  for (let read = start; read < end; read += 1) target[position++] = bytes[read] as number;
  return position;
}

/** Up to this many are copied and written faster one by one than by a call to Node. */
const fewBytes = 48;

const NEWLINE = 0x0a;
