import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token of an identity's own: the beginning of its id, so that it is found, and what nobody can guess. */
export function makeToken(identityId: string): { readonly token: string; readonly hash: string } {
  const token = `pb_${prefixOf(identityId)}_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashOf(token) };
}

export function prefixOf(identityId: string): string {
  return identityId.slice(0, 8);
}

/** Which identity a bearer token says that it is of; undefined for what has another form. */
export function prefixIn(bearer: string): string | undefined {
  return ownToken.exec(bearer)?.[1];
}

const ownToken = /^pb_([0-9a-f]{8})_[\w-]{43}$/;

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares in a time that says nothing. */
export function isTokenOf(bearer: string, hash: string): boolean {
  const [shown, known] = [Buffer.from(hashOf(bearer), 'hex'), Buffer.from(hash, 'hex')];
  return shown.length === known.length && timingSafeEqual(shown, known);
}
