import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';

/**
 * Accepts whole numbers in digits only: other texts that convert to a number were meant as something else.
 */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Accepts any text that is not blank. */
export function nonBlank(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('The value is empty; is a variable in it unset?');
}

/** Accepts several texts, none of them blank. */
export function eachNonBlank(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, nonBlank(text)];
}

/**
 * Resolves the path of a file or folder. An empty path is refused, since it would mean the current folder.
 */
export function resolvePath(text: string): string {
  nonBlank(text);
  try {
    return resolve(text);
  } catch {
    throw new InvalidArgumentError('The current folder no longer exists; use an absolute path.');
  }
}

/** The most rows that can be printed. */
export const maxRows = 1_000_000;

export const dataDirOption = [
  '--data-dir <folder>',
  'data folder (default: $PATCHBAY_DATA_DIR, else ~/.patchbay)',
  resolvePath,
] as const;
