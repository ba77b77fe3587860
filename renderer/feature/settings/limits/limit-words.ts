import type { LimitView } from '../../../../shared/model/limits.ts';

/** The unit as it stands beside a number. */
export const unitWords: Readonly<Record<string, string>> = {
  attempts: 'attempts',
  ms: 'ms',
  factor: 'times',
  failures: 'failures',
  s: 's',
  calls: 'calls',
  min: 'min',
  days: 'days',
};

export function amountText(value: number, unit: string): string {
  return `${value.toLocaleString('en')} ${unitWords[unit] ?? unit}`;
}

/** The default, and where the value in force is from. */
export function hintText({ source, variable, default: usual, unit, name, chosen }: LimitView): string {
  const standard = `Default ${amountText(usual, unit)}.`;
  const remark = remarks[name];
  const origin = {
    variable: `Fixed by the environment: ${variable} is set where Patchbay was started. Take it out there and start Patchbay again to set it here.${chosen === undefined ? '' : ` Your own ${amountText(chosen, unit)} would be in force then.`}`,
    settings: 'Set here.',
    default: `Not set; ${variable} would set it too.`,
  }[source];
  return [remark, standard, origin].filter((part) => part !== undefined).join(' ');
}

const remarks: Partial<Readonly<Record<LimitView['name'], string>>> = {
  invocationTimeoutMs:
    'Calls over REST end then. Calls of clients do as well once it is set; a server’s own timeout comes before it.',
  circuitCooldown: 'Meanwhile calls of the tool are refused at once.',
  authCacheTtl: 'A change of grants empties it at once.',
  auditRetentionDays: 'Older rows are forgotten.',
};

/** A number as typed, or why it cannot be this limit. */
export type LimitReading =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly reason: string };

/** Reads a number of this limit. */
export function readLimit(text: string, { min, max, whole, unit }: LimitView): LimitReading {
  const trimmed = text.trim();
  const isNumber = whole ? /^\d+$/.test(trimmed) : /^\d+(\.\d+)?$/.test(trimmed);
  if (!isNumber)
    return { ok: false, reason: whole ? 'Enter a whole number.' : 'Enter a number, such as 1.5.' };
  const value = Number(trimmed);
  return value >= min && value <= max
    ? { ok: true, value }
    : { ok: false, reason: `Choose from ${min.toLocaleString('en')} to ${amountText(max, unit)}.` };
}
