import { createHash } from 'node:crypto';
import type { NameStyle } from '../../../shared/model/client.ts';

/** Returns the id used in logs, policy and the specification. Unambiguous because keys contain no `:`. */
export function canonicalId(serverKey: string, name: string): string {
  return `${serverKey}:${name}`;
}

/** Pattern of all safe names. */
export const safePattern = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** Maximum length of a safe name. */
export const maxBudget = 64;

/**
 * Budget for unknown clients: most add a prefix and pass the name to a model API that allows 64 characters.
 */
export const defaultBudget = 46;

/**
 * Returns the name of a tool or prompt for clients of this style. Depends only on its arguments, so a name
 * stays the same across restarts and whatever else is listed. `budget` limits safe names only (16 to 64),
 * because the other styles keep the original text. Safe names that would lose information end in a digest of
 * the canonical id.
 */
export function wireName(style: NameStyle, budget: number, serverKey: string, name: string): string {
  switch (style) {
    case 'colon':
      return canonicalId(serverKey, name);
    case 'dot':
      return `${serverKey}.${name}`;
    case 'safe':
      return safeName(budget, serverKey, name);
    case 'raw':
      return name;
  }
}

/** Checks whether a name could belong to this server, in any style. */
export function couldBelongTo(serverKey: string, name: string): boolean {
  return (
    name.startsWith(canonicalId(serverKey, '')) ||
    name.startsWith(wireName('dot', 0, serverKey, '')) ||
    name.startsWith(serverKey + joint)
  );
}

function safeName(budget: number, serverKey: string, name: string): string {
  const maxLength = Math.max(minBudget, Math.min(maxBudget, budget));
  const plain = serverKey + joint + name;
  const isPlain =
    plain.length <= maxLength && isPlainKey(serverKey) && isPlainPart(name) && !digestEnd.test(plain);
  return isPlain ? plain : digestedName(maxLength, serverKey, name);
}

const joint = '__';
const minBudget = 16;

/**
 * Without `__` inside or `_` at its end, the first `__` of a name is the joint, so that `a_`+`b` and `a`+`_b`
 * stay distinct.
 */
function isPlainKey(key: string): boolean {
  return /^[a-zA-Z]/.test(key) && isPlainPart(key) && !key.includes(joint) && !key.endsWith('_');
}

function isPlainPart(part: string): boolean {
  return /^[a-zA-Z0-9_-]+$/.test(part);
}

/**
 * The suffix of every digested name. A plain name with such a suffix gets a digest too, so that it cannot
 * pose as another's.
 */
const digestEnd = /_[0-9][0-9a-v]{7}$/;

function digestedName(maxLength: number, serverKey: string, name: string): string {
  const end = `_${digest(canonicalId(serverKey, name))}`;
  const room = maxLength - joint.length - end.length;
  const key = slug(serverKey).replace(/^[^a-zA-Z]+/, '') || 'server';
  const part = slug(name) || 'tool';
  const forKey = Math.max(Math.floor(room / 3), room - part.length);
  const shortKey = key.slice(0, forKey);
  return shortKey + joint + part.slice(0, room - shortKey.length) + end;
}

/** Keeps readable characters: strips accents and replaces everything else that is not safe by `_`. */
function slug(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.replace(/[^a-zA-Z0-9_-]+/g, '_').replace(/^_+|(?<!_)_+$/g, '');
}

/**
 * Returns 38 bits: a decimal digit, so that ordinary words do not look like a digest, then seven of 32
 * letters.
 */
function digest(text: string): string {
  // Uses UTF-16 because in UTF-8 all lone surrogates would be the same.
  const bytes = createHash('sha256').update(Buffer.from(text, 'utf16le')).digest();
  const letters = [...bytes.subarray(1, 8)].map((byte) => (byte % 32).toString(32));
  return String(bytes.readUInt8(0) % 10) + letters.join('');
}
