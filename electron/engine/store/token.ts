import { randomBytes } from 'node:crypto';
import { type Problem, problem } from '../../../shared/error/problem.ts';
import { readTextIfExists, writePrivateFile } from './atomic-file.ts';
import { closeToOthers } from './private-files.ts';

/**
 * The bearer token of the HTTP endpoint, made at first run. It guards what the local socket guards by the user's
 * file permissions, so a file only the user can read is the same protection (docs/adr). `onRenewed` hears of a file that
 * held no token any more.
 */
export async function loadOrCreateToken(
  file: string,
  onRenewed: (problem: Problem) => void = () => {},
): Promise<string> {
  const known = (await readTextIfExists(file))?.trim();
  if (known !== undefined && /^[\w-]{32,}$/.test(known)) {
    await closeToOthers(file);
    return known;
  }
  const token = `pb_${randomBytes(32).toString('base64url')}`;
  await writePrivateFile(file, `${token}\n`, { isOwn: true });
  if (known !== undefined) onRenewed(renewed(file));
  return token;
}

function renewed(file: string): Problem {
  const sentence = `${file} held no token any more, so a new one was made.`;
  const fix = 'Give clients that connect over HTTP the new token; those that start the bridge need nothing.';
  return problem('hub.settings_unreadable', sentence, fix, { file });
}
