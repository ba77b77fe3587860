import { isRecord } from '../../../../shared/json.ts';
import type { Path } from '../../config/jsonc/tree.ts';

/** Applies a change to every text of a value; names of members stay. */
export function mapTexts(
  value: unknown,
  change: (text: string, path: Path) => string,
  path: Path = [],
): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, change, [...path, index]));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapTexts(member, change, [...path, key])]),
  );
}

export function mapEntry(
  entry: Readonly<Record<string, unknown>>,
  change: (text: string, path: Path) => string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, mapTexts(value, change, [key])]),
  );
}

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Escapes a text for our config, so that nothing in it is read as a reference. */
export function literal(text: string): string {
  return text.replace(/(?<!\$)\$+(?=[A-Za-z_{])/g, '$&$$');
}
