import { visit } from 'jsonc-parser';
import { isRecord } from '../../shared/json.ts';
import { isReference, readEntry } from './entry-text.ts';

/** One field as two texts of an entry have it; undefined where it is not there. */
export interface FieldSides {
  readonly field: string;
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
  /** Holds a value that is not for every eye. */
  readonly secret: boolean;
}

/** The fields named, such as `command` or `env.TOKEN`, as they stand in both texts. */
export function fieldSides(fields: readonly string[], mine: string, theirs: string): readonly FieldSides[] {
  return fields.map((field) => {
    const sides = { mine: fieldValue(mine, field), theirs: fieldValue(theirs, field) };
    const secret = /^(env|headers)\b/.test(field) && Object.values(sides).some(isSecret);
    return { field, mine: shown(sides.mine), theirs: shown(sides.theirs), secret };
  });
}

/** Stands for the comments of an entry among its fields. */
export const commentsField = '(comments)';

function fieldValue(text: string, field: string): unknown {
  if (field === commentsField) return commentsIn(text);
  const entry = readEntry(text) ?? {};
  const dot = field.indexOf('.');
  if (Object.hasOwn(entry, field) || dot === -1) return entry[field];
  const group = entry[field.slice(0, dot)];
  const name = field.slice(dot + 1);
  return isRecord(group) && Object.hasOwn(group, name) ? group[name] : undefined;
}

function commentsIn(text: string): string | undefined {
  const comments: string[] = [];
  visit(text, { onComment: (offset, length) => void comments.push(text.slice(offset, offset + length)) });
  return comments.length === 0 ? undefined : comments.join('\n');
}

function shown(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1)?.replace(/\n\s*/g, ' ');
}

function isSecret(value: unknown): boolean {
  return value !== undefined && !(typeof value === 'string' && isReference(value));
}
