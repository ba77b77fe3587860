import { readFile } from 'node:fs/promises';

/**
 * Returns the value in a file of ours; undefined if it is missing or unreadable, because every such file has
 * a fallback.
 */
export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
