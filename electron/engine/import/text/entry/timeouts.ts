import { parseDuration } from '../../../config/entry/duration.ts';
import { ignoredMembers, type TimeoutUnit, timeoutUnitOf } from './dialects.ts';
import { type Step, warning } from './entry-step.ts';

/**
 * Converts timeouts to milliseconds, by the program they come from; if that is unknown, guesses the unit and
 * adds a remark.
 */
export const readTimeout: Step = (entry, dialect) => {
  const { timeout, ...others } = entry;
  const rest = Object.fromEntries(
    Object.entries(others).filter(
      ([name]) => timeoutUnitOf(name) === undefined && !ignoredMembers.includes(name),
    ),
  );
  const otherNames = Object.entries(others).filter(([name]) => timeoutUnitOf(name) !== undefined);
  const named = otherNames.flatMap(([name, value]) => {
    const unit = timeoutUnitOf(name);
    const { amount = 0, unit: written } = parseDuration(value) ?? {};
    return unit === undefined || amount <= 0 ? [] : [amount * (written ?? likelyUnit(unit, amount))];
  });
  if (named[0] !== undefined) return { entry: { ...rest, timeout: Math.round(named[0]) } };
  const unreadable = otherNames.find(([, value]) => parseDuration(value) === undefined)?.[1];
  const written = timeout ?? unreadable;
  const read = parseDuration(written);
  if (written === undefined || (read !== undefined && read.amount <= 0)) return { entry: rest };
  if (read === undefined) return { entry: { ...rest, timeout: written } };
  const { amount, unit } = read;
  if (unit !== undefined) return { entry: { ...rest, timeout: Math.round(amount * unit) } };
  const isSeconds = dialect?.unit === 's' ? amount < minMilliseconds : dialect === undefined && amount < 1000;
  const entryWith = { ...rest, timeout: Math.round(amount * (isSeconds ? 1000 : 1)) };
  const isSure = dialect?.isUnitUncertain !== undefined ? !dialect.isUnitUncertain : dialect !== undefined;
  if (isSure || amount >= minMilliseconds) return { entry: entryWith };
  const message = isSeconds
    ? `timeout was read as ${amount} seconds`
    : `timeout was read as ${amount / 1000} seconds (${amount} milliseconds); in some programs it means ${amount} seconds`;
  return { entry: entryWith, notes: [warning('timeout', message)] };
};

/** Under a name without a unit, a small number is in seconds, and a large one in milliseconds. */
function likelyUnit({ unit, isNamed }: TimeoutUnit, amount: number): number {
  if (isNamed) return unit;
  if (amount < 1000) return 1000;
  return amount >= minMilliseconds ? 1 : unit;
}

/** A number this large is in milliseconds, whatever the program. */
const minMilliseconds = 10_000;
