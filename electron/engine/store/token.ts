import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { readTextIfExists, writeFileAtomic } from './atomic-file.ts';

/**
 * The bearer token of the HTTP endpoint, made at first run. It guards what the local socket guards by the user's
 * file permissions, so a file only the user can read is the same protection (docs/adr).
 */
export async function loadOrCreateToken(file: string): Promise<string> {
  const known = (await readTextIfExists(file))?.trim();
  if (known !== undefined && /^[\w-]{32,}$/.test(known)) {
    if (process.platform !== 'win32') await chmod(file, 0o600);
    return known;
  }
  const token = `pb_${randomBytes(32).toString('base64url')}`;
  await writeFileAtomic(file, `${token}\n`, { mode: 0o600 });
  return token;
}
