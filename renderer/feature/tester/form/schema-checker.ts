import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { decodeStep } from './form-schema.ts';

/** A violation of the schema. */
export interface ValueIssue {
  /** Property names and indexes from the root. */
  readonly path: readonly string[];
  /** Keyword of the violated rule. */
  readonly keyword: string;
  readonly message: string;
}

/** Result of validating a value; `unusable` if the schema itself is invalid. */
export type ValidationResult =
  | { readonly kind: 'checked'; readonly issues: readonly ValueIssue[] }
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Validates a value against a schema of any draft. Interprets the schema; nothing of it is compiled to code.
 */
export function checkValue(schema: unknown, value: unknown): ValidationResult {
  try {
    const own = structuredClone(schema) as Schema | boolean;
    const { errors } = validate(value, own, draftOf(own), dereference(own), false);
    return {
      kind: 'checked',
      issues: withoutRepeats(errors.filter(isCause).map(issueOf)).slice(0, maxIssues),
    };
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Validates values against parts of one schema many times, as the form library does. Returns false for an
 * invalid part.
 */
export class PartChecker {
  readonly #lookups = new WeakMap<object, Record<string, Schema | boolean>>();

  isValid(part: unknown, value: unknown, root: object): boolean {
    try {
      // References lead into the root; definitions of the part itself must not stay in the shared lookup.
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

/** Schemas without `$schema` use the newest draft, as the protocol says. */
function draftOf(schema: Schema | boolean): SchemaDraft {
  const named = typeof schema === 'object' ? /draft-0?(\d+)|(20\d\d-\d\d)/.exec(schema.$schema ?? '') : null;
  if (named?.[1] !== undefined) return Number(named[1]) <= 4 ? '4' : '7';
  return named?.[2] === '2019-09' ? '2019-09' : '2020-12';
}

/** Returns whether the error is a cause; errors of enclosing keywords only follow from it. */
function isCause({ keyword }: OutputUnit): boolean {
  return !consequentKeywords.has(keyword);
}

const consequentKeywords = new Set([
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

/** Drops `false` errors where another error already reports the same place. */
function withoutRepeats(issues: readonly ValueIssue[]): readonly ValueIssue[] {
  const reported = new Set(
    issues.filter(({ keyword }) => keyword !== 'false').map(({ path }) => path.join('/')),
  );
  return issues.filter(({ keyword, path }) => keyword !== 'false' || !reported.has(path.join('/')));
}

const maxIssues = 50;

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
      return error.includes('more than one')
        ? 'Matches several choices; only one is allowed.'
        : noChoiceMessage;
    case 'anyOf':
      return noChoiceMessage;
    case 'false':
      return 'Not allowed here.';
    default:
      return error
        .replace(/^Instance /, 'It ')
        .replace(/^String /, 'The text ')
        .replace(/^Array /, 'The list ');
  }
}

const noChoiceMessage = 'Matches none of the choices.';
