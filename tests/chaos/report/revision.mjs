import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../../bench/lib/places.mjs';

/** The commit that was run, with a mark if files differ from it. */
export async function revision() {
  const git = async (...args) => (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no');
    return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown';
  }
}
