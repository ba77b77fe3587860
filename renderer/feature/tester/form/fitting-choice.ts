import { getSchemaType, type RJSFSchema } from '@rjsf/utils';
import { isRecord } from '../../../../shared/json.ts';

/**
 * Returns which of several schemas a value belongs to. A chosen schema stays while the value can still become
 * valid; otherwise the first one that the value matches, or could match.
 */
export function fittingChoice(
  options: readonly RJSFSchema[],
  value: unknown,
  isValid: (option: RJSFSchema) => boolean,
  chosen: number | undefined,
): number {
  const current = chosen === undefined ? undefined : options[chosen];
  if (chosen !== undefined && current !== undefined && couldMatch(current, value)) return chosen;
  const fits = options.findIndex(isValid);
  if (fits !== -1) return fits;
  return Math.max(
    0,
    options.findIndex((option) => couldMatch(option, value)),
  );
}

/** Returns the initial value of a schema, so that the choice is visible. */
export function emptyOf(schema: RJSFSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  return emptyValues.get(typeOf(schema) ?? '')?.() ?? null;
}

/** Returns whether the schema allows a single value, so that choosing it is enough. */
export function isFixed(schema: RJSFSchema): boolean {
  return schema.const !== undefined || typeOf(schema) === 'null';
}

/** Returns whether the value's type and constants match the schema; it may be incomplete. */
function couldMatch(option: RJSFSchema, value: unknown): boolean {
  if (option.const !== undefined) return option.const === value;
  if (Array.isArray(option.enum)) return option.enum.some((one) => one === value);
  const type = typeOf(option);
  if (type !== undefined && !isOfType(type, value)) return false;
  if (!isRecord(value) || !isRecord(option.properties)) return true;
  return Object.entries(option.properties).every(
    ([name, member]) =>
      !isRecord(member) || member.const === undefined || !(name in value) || value[name] === member.const,
  );
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function typeOf(schema: RJSFSchema): string | undefined {
  const type = getSchemaType(schema);
  return Array.isArray(type) ? type[0] : type;
}

const emptyValues: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['string', () => ''],
  ['number', () => 0],
  ['integer', () => 0],
  ['boolean', () => false],
  ['array', () => []],
  ['object', () => ({})],
]);
