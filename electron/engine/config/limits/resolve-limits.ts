import { type Problem, problem } from '../../../../shared/error/problem.ts';
import {
  type ChosenLimits,
  type LimitField,
  type LimitName,
  type LimitValues,
  type LimitView,
  limitFields,
  limitNames,
} from '../../../../shared/model/hub/limits.ts';

export interface LimitSources {
  /** Environment variables; they override the settings. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Values from `settings.json`. */
  readonly chosen: ChosenLimits;
}

export interface ResolvedLimits {
  readonly values: LimitValues;
  readonly views: readonly LimitView[];
  /** The call timeout, unless it is the default. */
  readonly callTimeout: number | undefined;
  /** One for each invalid value; the next source in order is used instead. */
  readonly problems: readonly Problem[];
}

/** Resolves each limit: environment variable, then setting, then default (REQ-MCP-CONFIG). */
export function resolveLimits({ variables, chosen }: LimitSources): ResolvedLimits {
  const problems: Problem[] = [];
  const views = limitNames.map((name) => {
    const field: LimitField = limitFields[name];
    const text = variables[field.variable]?.trim();
    // An empty variable counts as not set.
    const byVariable = text ? acceptValue(field, Number(text), text, field.variable, problems) : undefined;
    const settingValue = chosen[name];
    const setting = `limits.${name} in settings.json`;
    const bySetting =
      settingValue === undefined || settingValue === null
        ? undefined
        : acceptValue(field, settingValue, settingValue, setting, problems);
    return toView(name, field, byVariable, bySetting);
  });
  const values = Object.fromEntries(views.map(({ name, value }) => [name, value]));
  const timeout = views.find(({ name }) => name === 'invocationTimeoutMs');
  const callTimeout = timeout?.source === 'default' ? undefined : timeout?.value;
  // Every name has a view.
  return { views, problems, callTimeout, values: values as LimitValues };
}

/** Returns the problem with a value for this limit, if any. */
export function checkLimit(name: LimitName, value: unknown): Problem | undefined {
  const problems: Problem[] = [];
  acceptValue(limitFields[name], value, value, name, problems);
  return problems[0];
}

function acceptValue(
  field: LimitField,
  value: unknown,
  settingValue: unknown,
  source: string,
  problems: Problem[],
): number | undefined {
  if (typeof value === 'number' && isWithin(field, value)) return value;
  const { min, max, whole, unit } = field;
  const kind = whole ? 'a whole number' : 'a number';
  const sentence = `${source} must be ${kind} from ${min} to ${max} (${unit}).`;
  // The value could be anything, even a secret in the wrong place.
  const shownValue =
    typeof settingValue === 'number' || /^[-+\d.eE]{1,30}$/.test(String(settingValue))
      ? String(settingValue)
      : undefined;
  problems.push(
    problem('hub.bad_limit', sentence, `Fix or remove it; the default is ${field.default}.`, {
      name: source,
      value: shownValue,
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
