import { readFile } from 'node:fs/promises';

/** The value in a file of ours; undefined where it is missing or cannot be read: each has its substitute. */
export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
