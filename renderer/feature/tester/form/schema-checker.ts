import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';

/** Where a value is not what a schema asks for. */
export interface ValueIssue {
  /** Members and indexes from the outside in. */
  readonly path: readonly string[];
  /** Which rule it is, by its keyword. */
  readonly keyword: string;
  /** A sentence. */
  readonly message: string;
}

/** What a schema says of a value; `unusable` where the schema itself cannot be understood. */
export type Verdict =
  | { readonly kind: 'checked'; readonly issues: readonly ValueIssue[] }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Checks a value against a schema of any draft. Interprets the schema: nothing of it becomes code. */
export function checkValue(schema: unknown, value: unknown): Verdict {
  try {
    const own = structuredClone(schema) as Schema | boolean;
    const { errors } = validate(value, own, draftOf(own), dereference(own), false);
    return {
      kind: 'checked',
      issues: oncePerPlace(errors.filter(isCause).map(issueOf)).slice(0, mostIssues),
    };
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The same question asked often of parts of one schema, as the form library does. False for a part that cannot be
 * understood.
 */
export class PartChecker {
  readonly #lookups = new WeakMap<object, Record<string, Schema | boolean>>();

  isValid(part: unknown, value: unknown, root: object): boolean {
    try {
      // References of the part lead into the root; what it defines itself must not stay.
      const lookup = Object.create(this.#lookup(root)) as Record<string, Schema | boolean>;
      const own = structuredClone(part) as Schema | boolean;
      dereference(own, lookup, undefined, '/part');
      return validate(value, own, draftOf(root as Schema), lookup).valid;
    } catch {
      return false;
    }
  }

  #lookup(root: object): Record<string, Schema | boolean> {
    const known = this.#lookups.get(root) ?? dereference(structuredClone(root) as Schema);
    this.#lookups.set(root, known);
    return known;
  }
}

/** Those of tools that say nothing are of the newest draft, by the protocol. */
function draftOf(schema: Schema | boolean): SchemaDraft {
  const named = typeof schema === 'object' ? /draft-0?(\d+)|(20\d\d-\d\d)/.exec(schema.$schema ?? '') : null;
  if (named?.[1] !== undefined) return Number(named[1]) <= 4 ? '4' : '7';
  return named?.[2] === '2019-09' ? '2019-09' : '2020-12';
}

/** Errors come with all that failed because of them; a person is told the cause. */
function isCause({ keyword }: OutputUnit): boolean {
  return !followers.has(keyword);
}

const followers = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'allOf',
  '$ref',
  '$recursiveRef',
  'if',
  'dependentSchemas',
]);

/** That a member may not be there is told by what does not know it, and once more by what it may not be. */
function oncePerPlace(issues: readonly ValueIssue[]): readonly ValueIssue[] {
  const told = new Set(issues.filter(({ keyword }) => keyword !== 'false').map(({ path }) => path.join('/')));
  return issues.filter(({ keyword, path }) => keyword !== 'false' || !told.has(path.join('/')));
}

const mostIssues = 50;

function issueOf({ keyword, instanceLocation, error }: OutputUnit): ValueIssue {
  const path = instanceLocation.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeStep);
  const quoted = /"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)/.exec(error)?.[1];
  if (keyword === 'required' && quoted !== undefined) {
    return { path: [...path, quoted], keyword, message: 'Required' };
  }
  if (additional.has(keyword) && quoted !== undefined) {
    return { path: [...path, quoted], keyword, message: 'No such field' };
  }
  return { path, keyword, message: sentence(keyword, error) };
}

const additional = new Set(['additionalProperties', 'unevaluatedProperties']);

function sentence(keyword: string, error: string): string {
  switch (keyword) {
    case 'type':
      return error.replace(
        /^Instance type "([^"]*)" is invalid\. Expected "(.*)"\.$/,
        'Expected $2, not $1.',
      );
    case 'oneOf':
      return error.includes('more than one') ? 'Matches several choices; only one is allowed.' : noChoice;
    case 'anyOf':
      return noChoice;
    case 'false':
      return 'Not allowed here.';
    default:
      return error
        .replace(/^Instance /, 'It ')
        .replace(/^String /, 'The text ')
        .replace(/^Array /, 'The list ');
  }
}

const noChoice = 'Matches none of the choices.';

function decodeStep(step: string): string {
  const text = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
