import type { LimitView } from '../../../../shared/model/hub/limits.ts';

/** Units as shown beside a number. */
export const unitLabels: Readonly<Record<string, string>> = {
  attempts: 'attempts',
  ms: 'ms',
  factor: '×',
  failures: 'failures',
  s: 's',
  calls: 'calls',
  min: 'min',
  days: 'days',
};

export function amountText(value: number, unit: string): string {
  return `${value.toLocaleString('en', { maximumFractionDigits: 3 })} ${unitLabels[unit] ?? unit}`;
}

const second = 1_000;

/** Converts a limit for display: milliseconds are shown as seconds. */
export function shownLimit(limit: LimitView): LimitView {
  if (limit.unit !== 'ms') return limit;
  const { value, default: defaultValue, min, max, chosen } = limit;
  return {
    ...limit,
    unit: 's',
    value: value / second,
    default: defaultValue / second,
    min: min / second,
    max: max / second,
    whole: false,
    ...(chosen === undefined ? {} : { chosen: chosen / second }),
  };
}

/** Converts a displayed number back to the unit of the setting. */
export function settingValue({ unit }: LimitView, shown: number): number {
  return unit === 'ms' ? Math.round(shown * second) : shown;
}

/** Describes the limit: a remark, its default, and the environment variable if that sets it. */
export function hintText({ source, variable, default: defaultValue, unit, name, chosen }: LimitView): string {
  const own = chosen === undefined ? '' : ` Your setting, ${amountText(chosen, unit)}, applies without it.`;
  const origin =
    source === 'variable'
      ? `Set by the environment variable ${variable}. Remove it and restart Patchbay to change this here.${own}`
      : undefined;
  return [remarks[name], `Default: ${amountText(defaultValue, unit)}.`, origin]
    .filter((part) => part !== undefined)
    .join(' ');
}

const remarks: Partial<Readonly<Record<LimitView['name'], string>>> = {
  retryMaxAttempts: 'Includes the first attempt.',
  invocationTimeoutMs:
    'Applies to REST calls, and to client calls once changed here. A server’s own timeout takes precedence.',
  circuitCooldown: 'Until then, calls to the tool fail immediately.',
  authCacheTtl: 'Rule changes still take effect immediately.',
  auditRetentionDays: 'Older entries are deleted.',
};

/** A valid number, or why the text is not one. */
export type LimitReading =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly reason: string };

/** Parses text as a value of this limit. */
export function readLimit(text: string, { min, max, whole, unit }: LimitView): LimitReading {
  const trimmed = text.trim();
  const isNumber = whole ? /^\d+$/.test(trimmed) : /^\d+(\.\d+)?$/.test(trimmed);
  if (!isNumber)
    return { ok: false, reason: whole ? 'Enter a whole number.' : 'Enter a number, such as 1.5.' };
  const value = Number(trimmed);
  return value >= min && value <= max
    ? { ok: true, value }
    : {
        ok: false,
        reason: `Choose from ${min.toLocaleString('en', { maximumFractionDigits: 3 })} to ${amountText(max, unit)}.`,
      };
}
