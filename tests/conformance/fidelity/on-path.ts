import { it } from 'vitest';
import { knownDifference, type Level } from './known-differences.ts';
import type { PathName } from './paths.ts';

/** All paths, and those where not only the value but every byte of a payload is to be the server's own. */
export const paths: readonly PathName[] = ['command', 'bridge', '/mcp'];
const exactPaths: readonly PathName[] = ['command', 'bridge'];

/** The levels payloads are compared at on this path. */
export function levelsOf(path: PathName): readonly ('value' | 'bytes')[] {
  return exactPaths.includes(path) ? ['value', 'bytes'] : ['value'];
}

/** One item on one path: a test, expected to fail where the difference is known. */
export function onPath(path: PathName, level: Level, item: string, body: () => Promise<void>): void {
  const title = `${item} (${level}, ${path})`;
  const reason = knownDifference(path, level, item);
  if (reason === undefined) it(title, body);
  else it.fails(`${title}; not yet: ${reason}`, body);
}
