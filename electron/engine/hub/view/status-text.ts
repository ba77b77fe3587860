import type { Problem } from '../../../../shared/error/problem.ts';
import { patchbayCommand } from '../../../../shared/shell-word.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import type { ConfiguredServer } from '../../config/contract.ts';
import type { SupervisedServer } from '../../servers/contract.ts';

export interface StatusFacts {
  readonly catalogue?: Catalogue;
  /** Problem with the config as a whole. */
  readonly problem?: Problem | undefined;
  readonly held?: (serverKey: string) => number;
  readonly warnings?: (serverKey: string) => readonly Problem[];
}

/** Describes the servers to a client that misses tools: what is wrong with each, and how to fix it. */
export function statusText(
  configured: readonly Pick<ConfiguredServer, 'key' | 'enabled'>[],
  servers: ReadonlyMap<string, Pick<SupervisedServer, 'state'>>,
  { catalogue, problem, held = () => 0, warnings = () => [] }: StatusFacts = {},
): string {
  const broken = problem === undefined ? [] : [`${problem.sentence} ${problem.fix}`];
  if (configured.length === 0 && broken.length > 0)
    return ['Patchbay is running, but cannot read which servers are configured.', ...broken].join('\n');
  if (configured.length === 0) {
    return 'Patchbay is running, but no MCP servers have been added yet. Open Patchbay and add one, or run "patchbay import".';
  }
  const toolsOf = (key: string) =>
    catalogue?.servers.find((server) => server.key === key)?.offer.tools.length ?? 0;
  const lines = configured.map((server) => {
    const { key } = server;
    const facts = { held: held(key), warnings: warnings(key), tools: toolsOf(key) };
    return `- ${key}: ${stateText(server, servers.get(key), facts)}`;
  });
  return [headline(configured, toolsOf), ...broken, ...lines].join('\n');
}

function headline(
  configured: readonly Pick<ConfiguredServer, 'key' | 'enabled'>[],
  toolsOf: (key: string) => number,
): string {
  const on = configured.filter(({ enabled }) => enabled);
  const offering = on.filter(({ key }) => toolsOf(key) > 0).length;
  if (offering === 0) return 'Patchbay is running, but none of its servers has tools available right now.';
  return `Patchbay is running; ${offering} of ${on.length} servers have tools available.`;
}

interface ServerFacts {
  readonly held: number;
  readonly warnings: readonly Problem[];
  readonly tools: number;
}

function stateText(
  { enabled, key }: Pick<ConfiguredServer, 'key' | 'enabled'>,
  server: Pick<SupervisedServer, 'state'> | undefined,
  { held, warnings, tools }: ServerFacts,
): string {
  if (!enabled) return `turned off. Turn it on in Patchbay, or with ${patchbayCommand('enable', key)}.`;
  if (server === undefined) return 'not started yet.';
  const { state } = server;
  if ('problem' in state && state.problem !== undefined) {
    return `${state.status}. ${state.problem.sentence} ${state.problem.fix}`;
  }
  if (held > 0) {
    const what = held === 1 ? 'its tool is' : `its ${held} tools are`;
    return `${state.status}, but ${what} blocked until the user reviews what is new or changed, in Patchbay or on the command line with ${patchbayCommand('guard', 'list', key)} and ${patchbayCommand('guard', 'approve', key)}.`;
  }
  const failed = warnings.find(({ code }) => code === 'server.list_failed');
  const offered = tools === 1 ? '1 tool' : `${tools} tools`;
  if (failed !== undefined)
    return `${state.status}, but offers ${tools === 0 ? 'no tools' : offered}. ${failed.sentence} ${failed.fix}`;
  if (tools > 0) return `${state.status}, with ${offered}.`;
  return state.status === 'connected' ? 'connected, but offers no tools.' : `${state.status}.`;
}
