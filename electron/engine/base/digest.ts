import { createHash } from 'node:crypto';

/** A short text that is equal for two JSON values exactly when they are written alike, key order included. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
