import { hash } from 'node:crypto';

/** A short text that is equal for two JSON values exactly when they are written alike, key order included. */
export function digestOf(value: unknown): string {
  return digestOfText(JSON.stringify(value));
}

/** That of a value whose JSON text is known. */
export function digestOfText(json: string | Uint8Array): string {
  return hash('sha256', json, 'hex');
}
