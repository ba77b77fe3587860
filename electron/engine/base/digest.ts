import { hash } from 'node:crypto';

/** Returns a digest that is equal for two JSON values exactly when their JSON text is, key order included. */
export function digestOf(value: unknown): string {
  return digestOfText(JSON.stringify(value));
}

/** Returns the digest of a value whose JSON text is known. */
export function digestOfText(json: string | Uint8Array): string {
  return hash('sha256', json, 'hex');
}
