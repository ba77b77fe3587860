import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { SecretKeeper } from '../../../../shared/model/hub/hub.ts';
import { readTextIfExists, writePrivateFile } from './atomic-file.ts';
import { restrictToUser } from './private-files.ts';

/** Encrypts texts with a key that others cannot reach: in the system's keychain, or our own. */
export interface SecretBox {
  /** Stored with each encrypted value, so that it is only ever decrypted by the same kind of box. */
  readonly kind: SecretKeeper;
  encrypt(text: string): Promise<string>;
  /** Rejects if the text was not encrypted with the current key. */
  decrypt(text: string): Promise<string>;
}

/**
 * Returns the boxes of a hub without a keychain, the preferred one first: `PATCHBAY_KEY` if it is set,
 * otherwise a key file that only the user can read, created when it is first needed. Throws ProblemError
 * `hub.secrets_unreadable` for an invalid key.
 */
export function keySecretBoxes(
  keyFile: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly [SecretBox, ...SecretBox[]] {
  const fromFile = createKeyBox('key-file', (make) => fileKey(keyFile, make));
  const given = env.PATCHBAY_KEY;
  if (given === undefined || given === '') return [fromFile];
  const key = keyOf(given);
  if (key === undefined) throw new ProblemError(invalidKey('PATCHBAY_KEY'));
  return [createKeyBox('key-env', async () => key), fromFile];
}

/** Encrypts with AES-256-GCM; a text is `iv | tag | ciphertext` in base64url. */
function createKeyBox(kind: SecretBox['kind'], key: (make: boolean) => Promise<Buffer>): SecretBox {
  return {
    kind,
    async encrypt(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, await key(true), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    async decrypt(text) {
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(algorithm, await key(false), bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      const body = decipher.update(bytes.subarray(ivBytes + tagBytes));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

async function fileKey(file: string, make: boolean): Promise<Buffer> {
  const text = await readTextIfExists(file);
  const known = text === undefined ? undefined : keyOf(text.trim());
  if (known !== undefined) {
    await restrictToUser(file);
    return known;
  }
  // Does not overwrite an invalid key file: its former content may be the only way to decrypt existing
  // secrets.
  if (text !== undefined || !make) throw new ProblemError(invalidKey(file));
  const key = randomBytes(keyBytes);
  await writePrivateFile(file, `${key.toString('base64')}\n`);
  return key;
}

/** Parses 32 bytes written as base64 or hexadecimal digits. */
function keyOf(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  return bytes?.length === keyBytes ? bytes : undefined;
}

function invalidKey(place: string) {
  const sentence = `${place} does not contain a valid encryption key.`;
  const fix = 'A key is 32 random bytes in base64, for example from "openssl rand -base64 32".';
  return problem('hub.secrets_unreadable', sentence, fix, { place });
}
