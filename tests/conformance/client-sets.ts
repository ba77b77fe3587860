import { fileURLToPath } from 'node:url';
import type { ScoredSet, Suite } from './suite.ts';

/** The client scenarios: the suite plays the remote server, the hub is its client. */
export function clientSets(suite: Suite): readonly ScoredSet[] {
  return [
    { name: 'sessions: the hub as the client', run: () => suite.client(commandOf('client.ts')) },
    {
      name: 'stateless: the hub as the client',
      run: () => suite.client(commandOf('client.ts'), '2026-07-28'),
    },
    { name: 'sessions: the SDK’s client alone', run: () => suite.client(commandOf('sdk-client.ts')) },
  ];
}

/** The suite cuts a command at spaces, so none may be in a path. */
function commandOf(program: string): string {
  const [version, file] = ['version.mjs', program].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return `${process.execPath} --no-warnings --import ${version} ${file}`;
}
