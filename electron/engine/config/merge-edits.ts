import { isDeepStrictEqual } from 'node:util';
import { visit } from 'jsonc-parser';
import { isRecord } from '../../../shared/json.ts';
import { mergeValue } from './merge.ts';
import { parseText } from './parse.ts';
import { type Path, plainValue } from './tree.ts';

/** An entry's text changed on two sides: the common base, the text to save, and the text in the file. */
export interface EditedTexts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** The side that wins if both changed a field, as decided by someone who saw `seen` in the file. */
export interface Resolution {
  readonly keep: 'mine' | 'theirs';
  readonly seen: string;
}

/**
 * `entry` is merged into the file's own text, `text` replaces the whole entry; `conflict` lists the fields
 * that both sides changed differently.
 */
export type MergedEdits =
  | { readonly kind: 'entry'; readonly entry: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'conflict'; readonly fields: readonly [Path, ...Path[]] };

/** Stands for the comments of an entry in a path; they are kept or changed as a whole. */
export const commentsPath = '(comments)';

/**
 * Merges two edits of one entry field by field: a field that only one side changed is taken from that side.
 * Fields are the members of the entry, and one level deeper those of `env`, `headers` and `patchbay`.
 * Comments count as one field; the layout follows the side whose comments are kept. `resolution` decides a
 * conflict, but only while the file still equals `seen`. All texts are JSON.
 */
export function mergeEdits(texts: EditedTexts, resolution?: Resolution): MergedEdits {
  const { base, mine, theirs } = texts;
  if (theirs === base) return { kind: 'text', text: mine };
  const all = { base, mine, theirs, seen: resolution?.seen ?? base };
  const sides = mapSides(all, entryOf);
  const deep = deepFields.filter((name) => Object.values(sides).every((side) => isContainer(side[name])));
  const decide = createDecide(resolution);
  const { merged, conflicts } = mergeFields(
    mapSides(sides, (side) => fieldsOf(side, deep)),
    decide,
  );
  const commented = decide(mapSides(all, commentsIn));
  const [first, ...rest] = [...conflicts, ...(commented === 'conflict' ? [[commentsPath]] : [])];
  if (first !== undefined) return { kind: 'conflict', fields: [first, ...rest] };
  const entry = entryFrom(merged);
  return commented === 'mine'
    ? { kind: 'text', text: mergeValue(parseText(mine).body, [], entry) }
    : { kind: 'entry', entry };
}

/** Objects whose members are fields of their own. */
const deepFields = ['env', 'headers', 'patchbay'];

type Entry = Readonly<Record<string, unknown>>;

/** One value on every side. */
interface Sides<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
  readonly seen: T;
}

type Decision = 'mine' | 'theirs' | 'conflict';
type Decide = (sides: Sides<unknown>) => Decision;

/** Prefers the file's side if possible, so that the fewest bytes change. */
function createDecide(resolution: Resolution | undefined): Decide {
  return ({ base, mine, theirs, seen }) => {
    if (isDeepStrictEqual(mine, base) || isDeepStrictEqual(mine, theirs)) return 'theirs';
    if (isDeepStrictEqual(theirs, base)) return 'mine';
    return resolution !== undefined && isDeepStrictEqual(theirs, seen) ? resolution.keep : 'conflict';
  };
}

/** A container is a field too, whose value only says that it exists. */
interface Field {
  readonly path: readonly string[];
  readonly value: unknown;
}

type Fields = ReadonlyMap<string, Field>;

function fieldsOf(entry: Entry, deep: readonly string[]): Fields {
  const fields = Object.entries(entry).flatMap(([name, value]) =>
    deep.includes(name) && isRecord(value)
      ? [
          { path: [name], value: {} },
          ...Object.entries(value).map(([member, inner]) => ({ path: [name, member], value: inner })),
        ]
      : [{ path: [name], value }],
  );
  return new Map(fields.map((field) => [JSON.stringify(field.path), field]));
}

function mergeFields(sides: Sides<Fields>, decide: Decide) {
  const merged: Field[] = [];
  const conflicts: Path[] = [];
  for (const id of new Set([...sides.theirs.keys(), ...sides.mine.keys()])) {
    const decision = decide(mapSides(sides, (fields) => fields.get(id)?.value));
    const field = sides[decision === 'mine' ? 'mine' : 'theirs'].get(id);
    if (decision === 'conflict') conflicts.push((field ?? sides.mine.get(id))?.path ?? []);
    else if (field !== undefined) merged.push(field);
  }
  return { merged, conflicts };
}

function entryFrom(fields: readonly Field[]): Entry {
  const members = new Map<string, unknown>();
  const containers = new Map<string, Map<string, unknown>>();
  for (const { path, value } of fields) {
    const [name = '', member] = path;
    if (member === undefined) {
      members.set(name, value);
    } else {
      const inner = containers.get(name) ?? new Map<string, unknown>();
      containers.set(name, inner.set(member, value));
    }
  }
  for (const [name, inner] of containers) members.set(name, Object.fromEntries(inner));
  return Object.fromEntries(members);
}

/** Returns the fields of a text; none if it is not an object. */
function entryOf(text: string): Entry {
  const { root } = parseText(text);
  const value = root === undefined ? undefined : plainValue(root);
  return isRecord(value) ? value : {};
}

function commentsIn(text: string): readonly string[] {
  const comments: string[] = [];
  visit(text, { onComment: (at, length) => void comments.push(text.slice(at, at + length).trimEnd()) });
  return comments;
}

function mapSides<T, R>({ base, mine, theirs, seen }: Sides<T>, map: (side: T) => R): Sides<R> {
  return { base: map(base), mine: map(mine), theirs: map(theirs), seen: map(seen) };
}

/** Fields of an object, or of a missing value, can be compared one by one. */
function isContainer(value: unknown): boolean {
  return value === undefined || isRecord(value);
}
