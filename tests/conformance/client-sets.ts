import { fileURLToPath } from 'node:url';
import { bundle } from '../helper/bundle.ts';
import { tempDir } from '../helper/temp-dir.ts';
import type { Outcome, Revision, ScoredSet, Suite } from './suite.ts';
import { within } from './within.ts';

/** The client scenarios: the suite plays the remote server, the hub is its client. */
export function clientSets(suite: Suite): readonly ScoredSet[] {
  const run = (program: string, revision?: Revision): Promise<readonly Outcome[]> =>
    within(commandOf(program), ({ command }) => suite.client(command, revision));
  return [
    { name: 'sessions: the hub as the client', run: () => run('client.ts') },
    { name: 'stateless: the hub as the client', run: () => run('client.ts', '2026-07-28') },
    { name: 'sessions: the SDK’s client alone', run: () => run('sdk-client.ts') },
  ];
}

/**
 * Bundles a program, since the suite starts it for each scenario, and most of a start would be reading its modules. The
 * suite cuts a command at spaces, so none may be in a path.
 */
async function commandOf(program: string): Promise<{ readonly command: string } & AsyncDisposable> {
  const folder = await tempDir();
  const file = await bundle(here(program), folder.path);
  return {
    command: `${process.execPath} --no-warnings --import ${here('version.mjs')} ${file}`,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function here(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
