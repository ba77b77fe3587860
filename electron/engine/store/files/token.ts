import { randomBytes } from 'node:crypto';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { readTextIfExists, writePrivateFile } from './atomic-file.ts';
import { restrictToUser } from './private-files.ts';

/**
 * Returns the bearer token of the HTTP endpoint, which is created at first run. File permissions protect it
 * as they protect the local socket (docs/adr). `onRenewed` is called if the file no longer held a token.
 */
export async function loadOrCreateToken(
  file: string,
  onRenewed: (problem: Problem) => void = () => {},
): Promise<string> {
  const known = (await readTextIfExists(file))?.trim();
  if (known !== undefined && /^[\w-]{32,}$/.test(known)) {
    await restrictToUser(file);
    return known;
  }
  const token = `pb_${randomBytes(32).toString('base64url')}`;
  await writeToken(file, token);
  if (known !== undefined) onRenewed(tokenRenewed(file));
  return token;
}

/** Writes the token again if its file is missing, so that clients can go on using it. */
export async function keepToken(file: string, token: string): Promise<void> {
  if ((await readTextIfExists(file)) === undefined) await writeToken(file, token);
}

function writeToken(file: string, token: string): Promise<void> {
  return writePrivateFile(file, `${token}\n`, { isOwn: true });
}

function tokenRenewed(file: string): Problem {
  const sentence = `${file} no longer contained a token, so Patchbay created a new one.`;
  const fix =
    'Give the new token to clients that connect over HTTP; clients that use the bridge need no change.';
  return problem('hub.settings_unreadable', sentence, fix, { file });
}
