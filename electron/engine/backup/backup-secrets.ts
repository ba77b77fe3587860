import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { z } from 'zod';
import { ProblemError } from '../../../shared/error/problem.ts';
import { changedBackup, unusableBackup, wrongPassphrase } from './backup-problems.ts';

const base64 = z
  .string()
  .max(100_000_000)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/);
const smallBase64 = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/);

/** Encrypted secrets of a backup and the encryption parameters; everything but `data` is the header. */
export const encryptedSecretsSchema = z.strictObject({
  kdf: z.literal('scrypt'),
  cipher: z.literal('aes-256-gcm'),
  n: z.int(),
  r: z.int(),
  p: z.int(),
  salt: smallBase64,
  nonce: smallBase64,
  /** Tells a wrong passphrase from a changed file. */
  check: smallBase64,
  tag: smallBase64,
  data: base64,
});

type EncryptedSecrets = Readonly<z.infer<typeof encryptedSecretsSchema>>;
type Header = Omit<EncryptedSecrets, 'tag' | 'data'>;

/** Encrypts with a key derived from the passphrase; `bound` is authenticated together with the header. */
export async function encryptSecrets(
  text: string,
  passphrase: string,
  bound: string,
): Promise<EncryptedSecrets> {
  const salt = randomBytes(saltBytes);
  const cost = { n: costN, r: costR, p: costP };
  const { key, checkKey } = await keysOf(passphrase, salt, cost);
  const nonce = randomBytes(nonceBytes);
  const header: Header = {
    kdf: 'scrypt',
    cipher: 'aes-256-gcm',
    ...cost,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    check: checkOf(checkKey, salt).toString('base64'),
  };
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(authenticatedData(header, bound));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { ...header, tag: cipher.getAuthTag().toString('base64'), data: data.toString('base64') };
}

/**
 * Decrypts the secrets; rejects with `backup.wrong_passphrase`, or with `backup.changed` if the file was
 * modified.
 */
export async function decryptSecrets(
  closed: EncryptedSecrets,
  passphrase: string,
  bound: string,
): Promise<string> {
  const { tag, data, ...header } = closed;
  const [salt, nonce, check, tagOf] = [header.salt, header.nonce, header.check, tag].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const isSound =
    salt.length === saltBytes &&
    nonce.length === nonceBytes &&
    check.length === checkBytes &&
    tagOf.length === tagBytes &&
    isAffordable(header);
  if (!isSound) throw new ProblemError(unusableBackup('secrets'));
  const { key, checkKey } = await keysOf(passphrase, salt, header);
  if (!timingSafeEqual(checkOf(checkKey, salt), check)) throw new ProblemError(wrongPassphrase());
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(authenticatedData(header, bound));
  decipher.setAuthTag(tagOf);
  try {
    const body = decipher.update(Buffer.from(data, 'base64'));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new ProblemError(changedBackup(), { cause });
  }
}

const saltBytes = 16;
const nonceBytes = 12;
const checkBytes = 32;
const tagBytes = 16;
const keyBytes = 32;

const costN = 2 ** 17;
const costR = 8;
const costP = 1;

/** Limits of the cost a file may demand; anything below the minimum is too weak to be ours. */
const minN = 2 ** 15;
const maxN = 2 ** 20;
const maxBytes = 512 * 1024 * 1024;

type Cost = Pick<Header, 'n' | 'r' | 'p'>;

function isAffordable({ n, r, p }: Cost): boolean {
  const isPower = n > 0 && Number.isInteger(Math.log2(n));
  const isBounded = n >= minN && n <= maxN && r >= 8 && r <= 32 && p >= 1 && p <= 4;
  return isPower && isBounded && 128 * n * r <= maxBytes;
}

async function keysOf(
  passphrase: string,
  salt: Buffer,
  { n, r, p }: Cost,
): Promise<{ readonly key: Buffer; readonly checkKey: Buffer }> {
  const options = { N: n, r, p, maxmem: 2 * maxBytes };
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    // Different keyboards may produce different code points for the same letters.
    scrypt(passphrase.normalize('NFKC'), salt, 2 * keyBytes, options, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    );
  });
  return { key: bytes.subarray(0, keyBytes), checkKey: bytes.subarray(keyBytes) };
}

function checkOf(checkKey: Buffer, salt: Buffer): Buffer {
  return createHmac('sha256', checkKey).update('patchbay backup').update(salt).digest();
}

function authenticatedData({ kdf, cipher, n, r, p, salt, nonce, check }: Header, bound: string): Buffer {
  return Buffer.from(JSON.stringify([kdf, cipher, n, r, p, salt, nonce, check, bound]));
}
