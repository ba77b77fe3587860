import { afterAll, beforeAll, describe, it } from 'vitest';
import { knownDifference, type Level } from './known-differences.ts';
import { type OpenPath, openDirect, openPath, type PathName } from './paths.ts';
import type { RawClient } from './raw-client.ts';

/** A path with a client that has introduced itself on it. */
export interface Asked {
  readonly open: OpenPath;
  readonly client: RawClient;
}

/** Everything the tests may be asked for in return. */
const capabilities =
  '{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}';

export const allPaths: readonly PathName[] = [
  'command',
  'bridge',
  '/mcp',
  '/mcp/servers/{key}',
  'remote server',
];

/** Paths on stdio all the way: not only the value but every byte of a payload is to be the server's own. */
const exactPaths: readonly PathName[] = ['command', 'bridge'];

/** The levels payloads are compared at on this path. */
export function levelsOf(path: PathName): readonly ('value' | 'bytes')[] {
  return exactPaths.includes(path) ? ['value', 'bytes'] : ['value'];
}

/**
 * The same tests for every path; `asked` is what is open while a test runs. `serverOptions` are more members of the
 * server's entry.
 */
export function describePaths(
  title: string,
  body: (path: PathName, asked: () => Asked) => void,
  paths: readonly PathName[] = allPaths,
  serverOptions: object = {},
): void {
  describe.each(paths)(`${title} through %s`, (path) => {
    body(
      path,
      keepOpen(() => openPath(path, serverOptions)),
    );
  });
}

/** The server itself, for as long as the tests of this block run. */
export function direct(server?: Parameters<typeof openDirect>[0]): () => Asked {
  return keepOpen(() => openDirect(server));
}

export function keepOpen(open: () => Promise<OpenPath>): () => Asked {
  let asked: Asked | undefined;
  beforeAll(async () => {
    const opened = await open();
    asked = { open: opened, client: await opened.connect(capabilities) };
  });
  afterAll(() => asked?.open[Symbol.asyncDispose]());
  return () => {
    if (asked === undefined) throw new Error('The path is not open');
    return asked;
  };
}

/** One item on one path: a test, expected to fail where the difference is known. */
export function onPath(path: PathName, level: Level, item: string, body: () => Promise<void>): void {
  const title = level === 'behaviour' ? item : `${item} (${level})`;
  const reason = knownDifference(path, level, item);
  if (reason === undefined) it(title, body);
  else it.fails(`${title}; not yet: ${reason}`, body);
}
