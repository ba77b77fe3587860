import { type OpenPath, openPath, type PathName } from './fidelity/paths.ts';
import { textOf } from './fidelity/raw-client.ts';
import type { Outcome, ScoredSet } from './suite.ts';
import { within } from './within.ts';

const paths: readonly PathName[] = ['command', 'bridge', '/mcp', '/mcp/servers/{key}', 'remote server'];

/** Longer than the 60 s after which the SDK's requests give up; too long for the suite that everybody runs. */
const milliseconds = 65_000;

export function longCalls(): ScoredSet {
  return { name: 'ours: calls of 65 s on five routes', run: () => Promise.all(paths.map(callFor)) };
}

async function callFor(path: PathName): Promise<Outcome> {
  const reason = await within(openPath(path), callSlowTool).catch(String);
  return { scenario: path, passed: reason === '', reason };
}

/** Resolves with the failure; empty if there is none. */
async function callSlowTool(open: OpenPath): Promise<string> {
  const client = await open.connect();
  client.patience = milliseconds + 20_000;
  const text = textOf(await client.call(open.told('slow'), JSON.stringify({ milliseconds })));
  return text === 'slow is done' ? '' : text;
}
