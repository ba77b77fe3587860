import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';

/** For a whole number in digits: whatever else could be made a number of was meant as something else. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** For what has to be said. */
export function something(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It is empty: is a variable in it not set?');
}

/** For the place of a file or folder. An empty one would be the folder of whoever calls. */
export function place(text: string): string {
  something(text);
  try {
    return resolve(text);
  } catch {
    throw new InvalidArgumentError('The folder that it is called from is gone; name it from the root on.');
  }
}

/** Rows that somebody reads, at most. */
export const mostRows = 1_000_000;

export const dataDirOption = [
  '--data-dir <folder>',
  'where everything is kept (default: $PATCHBAY_DATA_DIR, else ~/.patchbay)',
  place,
] as const;
