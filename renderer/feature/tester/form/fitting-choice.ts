import { getSchemaType, type RJSFSchema } from '@rjsf/utils';
import { isRecord } from '../../../../shared/json.ts';

/**
 * Which of several schemas a value is of. One that was chosen stays, as long as the value may become one of it; else it is the
 * first that the value fits, or could.
 */
export function fittingChoice(
  options: readonly RJSFSchema[],
  value: unknown,
  isValid: (option: RJSFSchema) => boolean,
  chosen: number | undefined,
): number {
  const current = chosen === undefined ? undefined : options[chosen];
  if (chosen !== undefined && current !== undefined && mayBe(current, value)) return chosen;
  const fits = options.findIndex(isValid);
  if (fits !== -1) return fits;
  return Math.max(
    0,
    options.findIndex((option) => mayBe(option, value)),
  );
}

/** What a value of a schema begins with, so that it is seen which of them was chosen. */
export function emptyOf(schema: RJSFSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  return empties.get(typeOf(schema) ?? '')?.() ?? null;
}

/** Whether there is nothing more to say about it than that it was chosen. */
export function isFixed(schema: RJSFSchema): boolean {
  return schema.const !== undefined || typeOf(schema) === 'null';
}

/** Its type, and whatever tells one object from another, are those of the schema; it need not be whole. */
function mayBe(option: RJSFSchema, value: unknown): boolean {
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

const empties: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['string', () => ''],
  ['number', () => 0],
  ['integer', () => 0],
  ['boolean', () => false],
  ['array', () => []],
  ['object', () => ({})],
]);
