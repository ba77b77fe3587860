import { printable } from '../../../shared/printable.ts';

/** Every command prints this way, since much of the output comes from servers and clients. */
export function print(text: string): boolean {
  return process.stdout.write(printable(text));
}

export function printError(text: string): boolean {
  return process.stderr.write(printable(text));
}
