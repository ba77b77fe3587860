import { visit } from 'jsonc-parser';
import { isRecord } from '../../../shared/json.ts';
import { isReference, readEntry } from './entry-text.ts';

/** One field in two versions of an entry; undefined where it is missing. */
export interface FieldSides {
  readonly field: string;
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
  /** True if it contains a value that should not be visible to everyone. */
  readonly secret: boolean;
}

/** Returns the named fields, such as `command` or `env.TOKEN`, from both texts. */
export function fieldSides(fields: readonly string[], mine: string, theirs: string): readonly FieldSides[] {
  return fields.map((field) => {
    const sides = { mine: fieldValue(mine, field), theirs: fieldValue(theirs, field) };
    const secret = /^(env|headers)\b/.test(field) && Object.values(sides).some(isSecret);
    return { field, mine: shown(sides.mine), theirs: shown(sides.theirs), secret };
  });
}

/** Pseudo-field for the comments of an entry. */
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
