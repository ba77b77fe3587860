import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Creates a bearer token: the start of the identity id, to look it up by, and a random secret. */
export function makeToken(identityId: string): { readonly token: string; readonly hash: string } {
  const token = `pb_${prefixOfId(identityId)}_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashOf(token) };
}

export function prefixOfId(identityId: string): string {
  return identityId.slice(0, 8);
}

/** Returns the id prefix in a bearer token; undefined if it has another format. */
export function prefixOfToken(bearer: string): string | undefined {
  return bearerTokenPattern.exec(bearer)?.[1];
}

const bearerTokenPattern = /^pb_([0-9a-f]{8})_[\w-]{43}$/;

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares in constant time. */
export function isTokenOf(bearer: string, hash: string): boolean {
  const [given, known] = [Buffer.from(hashOf(bearer), 'hex'), Buffer.from(hash, 'hex')];
  return given.length === known.length && timingSafeEqual(given, known);
}
