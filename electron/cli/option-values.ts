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
  throw new InvalidArgumentError('The value is empty; is a variable in it unset?');
}

/** For the place of a file or folder. An empty one would be the folder of whoever calls. */
export function place(text: string): string {
  something(text);
  try {
    return resolve(text);
  } catch {
    throw new InvalidArgumentError('The current folder no longer exists; use an absolute path.');
  }
}

/** Rows that somebody reads, at most. */
export const mostRows = 1_000_000;

export const dataDirOption = [
  '--data-dir <folder>',
  'data folder (default: $PATCHBAY_DATA_DIR, else ~/.patchbay)',
  place,
] as const;
