import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../shared/json.ts';
import { indentAt, layoutOf } from './layout.ts';
import { type JsonNode, parseText } from './parse.ts';
import { render, renderMember } from './render.ts';
import { insertMember, removeMember, replaceRange } from './text-edit.ts';
import { memberOf, type Path, plainValue } from './tree.ts';

/**
 * Makes the value at `path` equal to `next` with the smallest changes: equal parts stay untouched, missing
 * members are removed, new ones are appended, a changed scalar is replaced in place. The order of keys does
 * not count. If the last step of the path does not exist, it is created at the end of its parent.
 */
export function mergeValue(body: string, path: Path, next: unknown): string {
  return mergeJson(body, path, JSON.parse(JSON.stringify(next)));
}

/** Returns the node at exactly this path of a valid text. */
export function nodeAt(body: string, path: Path): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>(stepInto, parseText(body).root);
}

function mergeJson(body: string, path: Path, next: unknown): string {
  const node = nodeAt(body, path);
  if (node === undefined) return append(body, path, next);
  const old = plainValue(node);
  if (isDeepStrictEqual(old, next)) return body;
  if (isRecord(old) && isRecord(next)) return mergeObject(body, path, old, next);
  if (Array.isArray(old) && Array.isArray(next)) return mergeArray(body, path, old, next);
  const style = { ...layoutOf(body), indent: indentAt(body, node.offset), inline: false };
  return replaceRange(body, node, render(next, style));
}

function mergeObject(body: string, path: Path, old: JsonObject, next: JsonObject): string {
  const removedKeys = Object.keys(old).filter((key) => !Object.hasOwn(next, key));
  const kept = removedKeys.reduce((text, key) => removeAt(text, [...path, key]), body);
  return Object.entries(next).reduce((text, [key, value]) => mergeJson(text, [...path, key], value), kept);
}

/** Keeps equal items at both ends; changes the middle in place, then shortens or extends it. */
function mergeArray(body: string, path: Path, old: readonly unknown[], next: readonly unknown[]): string {
  const head = commonLength(old, next, (list, index) => list[index]);
  const rest = Math.min(old.length, next.length) - head;
  const tail = Math.min(
    rest,
    commonLength(old, next, (list, index) => list[list.length - 1 - index]),
  );
  const oldEnd = old.length - tail;
  const nextEnd = next.length - tail;
  const shared = Math.min(oldEnd, nextEnd);
  let text = body;
  for (let index = head; index < shared; index += 1) text = mergeJson(text, [...path, index], next[index]);
  for (let index = oldEnd - 1; index >= shared; index -= 1) text = removeAt(text, [...path, index]);
  for (let index = shared; index < nextEnd; index += 1) text = insertItem(text, path, index, next[index]);
  return text;
}

function commonLength(
  a: readonly unknown[],
  b: readonly unknown[],
  pick: (list: readonly unknown[], index: number) => unknown,
): number {
  const limit = Math.min(a.length, b.length);
  for (let index = 0; index < limit; index += 1) {
    if (!isDeepStrictEqual(pick(a, index), pick(b, index))) return index;
  }
  return limit;
}

function append(body: string, path: Path, value: unknown): string {
  const key = String(path.at(-1));
  const container = nodeAt(body, path.slice(0, -1));
  if (container?.type !== 'object') return body;
  return insertMember(body, container, container.children?.at(-1), {
    write: (style) => renderMember(key, value, style),
  });
}

function insertItem(body: string, path: Path, index: number, value: unknown): string {
  const container = nodeAt(body, path);
  if (container === undefined) return body;
  return insertMember(body, container, container.children?.[index - 1], {
    write: (style) => render(value, style),
  });
}

function removeAt(body: string, path: Path): string {
  const node = nodeAt(body, path);
  const child = node?.parent?.type === 'property' ? node.parent : node;
  return child?.parent === undefined ? body : removeMember(body, child.parent, child);
}

function stepInto(node: JsonNode | undefined, step: string | number): JsonNode | undefined {
  return typeof step === 'number' ? node?.children?.[step] : memberOf(node, step)?.value;
}

type JsonObject = Readonly<Record<string, unknown>>;
