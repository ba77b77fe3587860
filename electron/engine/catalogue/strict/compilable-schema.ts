import type { RawItem } from '../contract.ts';

/**
 * Returns false for a schema that SDK clients cannot compile: they compile every outputSchema, and one that
 * fails costs them the list.
 */
export function isCompilable(root: RawItem): boolean {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null || depth > maxDepth) continue;
    if (hasRefusedKeyword(value as RawItem, value === root)) return false;
    const reference = (value as RawItem).$ref;
    if (typeof reference === 'string' && !isResolvable(root, reference)) return false;
    for (const member of Object.values(value)) pending.push({ value: member, depth: depth + 1 });
  }
  return true;
}

/** Finds keywords that compilers refuse, or that make names which may clash. */
function hasRefusedKeyword(schema: RawItem, isRoot: boolean): boolean {
  if (typeof schema.nullable === 'boolean' && schema.type === undefined) return true;
  if (typeof schema.$id === 'string' && (!isRoot || /^urn:/i.test(schema.$id))) return true;
  return refusedKeywords.some((name) => Object.hasOwn(schema, name) && typeof schema[name] !== 'object');
}

/** Keywords of draft 4, of names inside a schema, and of extensions with rules of their own. */
const refusedKeywords = [
  'id',
  '$anchor',
  '$dynamicAnchor',
  'formatMinimum',
  'formatMaximum',
  'formatExclusiveMinimum',
  'formatExclusiveMaximum',
] as const;

/** Follows pointers into the same document; other documents and endless references cannot be resolved. */
function isResolvable(root: RawItem, reference: string): boolean {
  let next: unknown = reference;
  for (let step = 0; typeof next === 'string'; step += 1) {
    const found = step > maxReferences ? undefined : resolvePointer(root, next);
    if (found === undefined) return false;
    next = (found as RawItem).$ref;
  }
  return true;
}

/** Returns what a reference into the same document points to; undefined if there is nothing. */
export function resolvePointer(root: unknown, reference: string): object | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  const steps = reference
    .slice(2)
    .split('/')
    .filter((step) => step !== '');
  let value: unknown = root;
  for (const step of steps) {
    const key = decodeStep(step);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as RawItem)[key];
  }
  return typeof value === 'object' && value !== null ? value : undefined;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** Deeper than any handwritten schema. */
const maxDepth = 200;
/** More references in a row than any handwritten schema has. */
const maxReferences = 20;
