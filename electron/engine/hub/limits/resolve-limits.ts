import { type Problem, problem } from '../../../../shared/error/problem.ts';
import {
  type ChosenLimits,
  type LimitField,
  type LimitName,
  type LimitValues,
  type LimitView,
  limitFields,
  limitNames,
} from '../../../../shared/model/limits.ts';

export interface LimitSources {
  /** The environment: what stands there comes first. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** What stands in `settings.json`. */
  readonly chosen: ChosenLimits;
}

export interface ResolvedLimits {
  readonly values: LimitValues;
  readonly views: readonly LimitView[];
  /** That for calls, where it is not the default. */
  readonly callTimeout: number | undefined;
  /** One for each value that cannot be used; what comes after it in order counts instead. */
  readonly problems: readonly Problem[];
}

/** Which numbers are in force: the variable's, else the setting's, else the default (REQ-MCP-CONFIG). */
export function resolveLimits({ variables, chosen }: LimitSources): ResolvedLimits {
  const problems: Problem[] = [];
  const views = limitNames.map((name) => {
    const field: LimitField = limitFields[name];
    const text = variables[field.variable]?.trim();
    // A variable that is set to nothing is as good as none.
    const byVariable = text ? take(field, Number(text), text, field.variable, problems) : undefined;
    const given = chosen[name];
    const setting = `limits.${name} in settings.json`;
    const bySetting =
      given === undefined || given === null ? undefined : take(field, given, given, setting, problems);
    return toView(name, field, byVariable, bySetting);
  });
  const values = Object.fromEntries(views.map(({ name, value }) => [name, value]));
  const timeout = views.find(({ name }) => name === 'invocationTimeoutMs');
  const callTimeout = timeout?.source === 'default' ? undefined : timeout?.value;
  // There is a view for each name.
  return { views, problems, callTimeout, values: values as LimitValues };
}

/** What is wrong with a number for this limit. */
export function judgeLimit(name: LimitName, value: unknown): Problem | undefined {
  const problems: Problem[] = [];
  take(limitFields[name], value, value, name, problems);
  return problems[0];
}

function take(
  field: LimitField,
  value: unknown,
  given: unknown,
  place: string,
  problems: Problem[],
): number | undefined {
  if (typeof value === 'number' && isWithin(field, value)) return value;
  const { min, max, whole, unit } = field;
  const kind = whole ? 'a whole number' : 'a number';
  const sentence = `${place} must be ${kind} from ${min} to ${max} (${unit}), and is not.`;
  // The value may be anything, a secret in the wrong place included.
  const said =
    typeof given === 'number' || /^[-+\d.eE]{1,30}$/.test(String(given)) ? String(given) : undefined;
  problems.push(
    problem('hub.bad_limit', sentence, `Correct it, or remove it: the default is ${field.default}.`, {
      name: place,
      value: said,
    }),
  );
  return undefined;
}

function isWithin({ min, max, whole }: LimitField, value: number): boolean {
  return Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value));
}

function toView(
  name: LimitName,
  field: LimitField,
  byVariable: number | undefined,
  bySetting: number | undefined,
): LimitView {
  const source = byVariable !== undefined ? 'variable' : bySetting !== undefined ? 'settings' : 'default';
  return {
    ...field,
    name,
    value: byVariable ?? bySetting ?? field.default,
    source,
    ...(bySetting === undefined ? {} : { chosen: bySetting }),
  };
}
