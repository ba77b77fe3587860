/** A length of time as people write it; without a unit, the place says which one is meant. */
interface Duration {
  readonly amount: number;
  /** In milliseconds. */
  readonly unit?: number;
}

/** Reads a number, a numeric text, or a text with units: `1.5s`, `30 seconds`, `1m30s`. */
export function parseDuration(value: unknown): Duration | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { amount: value } : undefined;
  const text = typeof value === 'string' && value.length < 100 ? value.trim().toLowerCase() : '';
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return { amount: Number(text) };
  if (!/^(?:\d{1,15}(?:\.\d{1,6})?\s{0,8}[a-z]{1,12}\s{0,8}){1,4}$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]{1,22})\s{0,8}([a-z]{1,12})/g)].map(
    ([, digits, word = '']) => Number(digits) * (unitOf(word) ?? Number.NaN),
  );
  const amount = parts.reduce((sum, part) => sum + part, 0);
  return Number.isNaN(amount) ? undefined : { amount, unit: 1 };
}

function unitOf(word: string): number | undefined {
  return units.find(([names]) => names.test(word))?.[1];
}

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
];
