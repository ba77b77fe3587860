import type { MaskText } from '../tester/known-secrets.ts';

/** Masks all texts of a view except the members that identify things. */
export function maskView<T>(value: T, mask: MaskText): T {
  return masked(value, mask) as T;
}

function masked(value: unknown, mask: MaskText): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, names.has(name) ? member : masked(member, mask)]),
  );
}

const names: ReadonlySet<string> = new Set(['id', 'key', 'name', 'serverKey']);
