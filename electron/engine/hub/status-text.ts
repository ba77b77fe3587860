import type { Problem } from '../../../shared/error/problem.ts';
import type { ConfiguredServer } from '../config/contract.ts';
import type { SupervisedServer } from '../supervise/contract.ts';

/** How the servers are, for a client that asks because it sees no tools: what is wrong with each, and what to do. */
export function statusText(
  configured: readonly ConfiguredServer[],
  servers: ReadonlyMap<string, Pick<SupervisedServer, 'state'>>,
  held: (serverKey: string) => number,
  warnings: (serverKey: string) => readonly Problem[],
): string {
  if (configured.length === 0) {
    return 'Patchbay runs, but no MCP servers have been added yet. Open Patchbay and add one.';
  }
  const lines = configured.map(
    (server) =>
      `- ${server.key}: ${stateText(server, servers.get(server.key), held(server.key), warnings(server.key))}`,
  );
  return ['Patchbay runs, but none of its servers offers a tool now.', ...lines].join('\n');
}

function stateText(
  { enabled, key }: ConfiguredServer,
  server: Pick<SupervisedServer, 'state'> | undefined,
  held: number,
  warnings: readonly Problem[],
): string {
  if (!enabled) return 'switched off. Switch it on in Patchbay.';
  if (server === undefined) return 'not started yet.';
  const { state } = server;
  if ('problem' in state && state.problem !== undefined) {
    return `${state.status}. ${state.problem.sentence} ${state.problem.fix}`;
  }
  if (held > 0) {
    const tools = held === 1 ? 'its tool is' : `its ${held} tools are`;
    return `${state.status}, but ${tools} held back until a person has looked at what is new or changed: in Patchbay, or without a window by "patchbay guard list ${key}" and "patchbay guard approve ${key}".`;
  }
  const failed = warnings.find(({ code }) => code === 'server.list_failed');
  if (failed !== undefined) return `${state.status}, but offers no tools. ${failed.sentence} ${failed.fix}`;
  return state.status === 'connected' ? 'connected, but offers no tools.' : `${state.status}.`;
}
