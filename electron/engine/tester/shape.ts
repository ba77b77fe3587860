import { isRecord } from '../../../shared/json.ts';
/** The structure of a JSON value: members and types without content. */
export type Shape =
  | null
  | boolean
  | number
  | string
  | readonly Shape[]
  | { readonly [member: string]: Shape };

/** Returns the shape of a value, as JSON itself; arrays keep one element of each kind. */
export function shapeOf(value: unknown): Shape {
  if (value === null || typeof value === 'boolean') return value === null ? null : false;
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object') return '';
  if (Array.isArray(value)) {
    const shapes = new Map(value.map((item) => [JSON.stringify(shapeOf(item)), shapeOf(item)]));
    return [...shapes.values()].slice(0, maxKinds);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

const maxKinds = 20;

/**
 * Returns where a value differs from a shape, one sentence each. Extra members and empty arrays are allowed.
 */
export function shapeDifferences(shape: Shape, value: unknown, path = 'The result'): readonly string[] {
  if (isList(shape)) return elementDifferences(shape, value, path);
  if (typeof shape === 'object' && shape !== null) {
    return isRecord(value) ? memberDifferences(shape, value, path) : [wrongType(path, shape, value)];
  }
  return typeName(shape) === typeName(value) ? [] : [wrongType(path, shape, value)];
}

function memberDifferences(
  shape: { readonly [member: string]: Shape },
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly string[] {
  return Object.entries(shape).flatMap(([name, member]) =>
    Object.hasOwn(value, name)
      ? shapeDifferences(member, value[name], memberPath(path, name))
      : [`${memberPath(path, name)} is missing.`],
  );
}

function elementDifferences(shape: readonly Shape[], value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) return [wrongType(path, shape, value)];
  if (shape.length === 0) return [];
  return value.flatMap((item, index) => {
    const tried = shape.map((kind) => shapeDifferences(kind, item, `${path}[${index}]`));
    return tried.reduce((best, next) => (next.length < best.length ? next : best));
  });
}

function memberPath(path: string, name: string): string {
  return path === 'The result' ? name : `${path}.${name}`;
}

function wrongType(path: string, shape: unknown, value: unknown): string {
  return `${path} is ${typeName(value)}, expected ${typeName(shape)}.`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return names.get(typeof value) ?? 'nothing';
}

const names: ReadonlyMap<string, string> = new Map([
  ['object', 'an object'],
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
]);

/** `Array.isArray` does not distinguish read-only arrays from objects. */
function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}
