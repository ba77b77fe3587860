import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { CatalogueServer } from '../../catalogue/contract.ts';
import type { ConfiguredServer } from '../../config/contract.ts';
import { unboundContainer } from '../../servers/process/containers/container-script.ts';

export interface KnownServers {
  readonly configured: (key: string) => ConfiguredServer | undefined;
  readonly catalogued: (key: string) => CatalogueServer | undefined;
}

/** Warns of server options that name unknown tools or servers. */
export function optionWarnings(server: ConfiguredServer, known: KnownServers): readonly Problem[] {
  return [...toolLists(server, known), ...fallbacks(server, known), ...unboundContainers(server)];
}

/** Warns of a container that cannot be ended with its server, since only the command knows which one it is. */
function unboundContainers({ target }: ConfiguredServer): Problem[] {
  if (!target.ok || target.value.kind !== 'stdio') return [];
  const verb = unboundContainer(target.value.command, target.value.args);
  if (verb === undefined) return [];
  const sentence =
    verb === 'run'
      ? 'Patchbay cannot tell which container this command starts, so it may keep running after the server has stopped.'
      : 'The program that this command starts in a container may keep running after the server has stopped.';
  const fix =
    verb === 'run'
      ? 'Write the container tool as the command, with run and each option in args, and without --name.'
      : 'Start the server with run instead of exec or start, so that it ends with its container.';
  return [problem('config.invalid_schema', sentence, fix)];
}

function toolLists(server: ConfiguredServer, { catalogued }: KnownServers): Problem[] {
  const { key, disabledTools, enabledTools = new Set() } = server;
  const isListed = disabledTools.size > 0 || enabledTools.size > 0;
  const tools = isListed ? toolsOf(catalogued(key)) : undefined;
  if (tools === undefined) return [];
  const missing = (option: 'disabledTools' | 'enabledTools', names: ReadonlySet<string>) =>
    [...names]
      .filter((name) => !tools.has(name))
      .map((name) => warning(option, `${key} offers no tool "${name}"`));
  return [...missing('disabledTools', disabledTools), ...missing('enabledTools', enabledTools)];
}

function fallbacks({ key, fallback }: ConfiguredServer, known: KnownServers): Problem[] {
  return [...fallback].flatMap(([tool, ids]) =>
    ids.flatMap((id) => {
      const reason =
        id === `${key}:${tool}` ? 'a tool cannot be its own fallback' : reasonUnusable(id, known);
      return reason === undefined ? [] : [warning(`fallback.${tool}`, `"${id}" cannot be used: ${reason}`)];
    }),
  );
}

function reasonUnusable(id: string, { configured, catalogued }: KnownServers): string | undefined {
  const colon = id.indexOf(':');
  if (colon === -1) return 'ids are written as server:tool';
  const [key, tool] = [id.slice(0, colon), id.slice(colon + 1)];
  if (configured(key) === undefined) return `there is no server "${key}"`;
  return (toolsOf(catalogued(key))?.has(tool) ?? true) ? undefined : `${key} offers no tool "${tool}"`;
}

/** Undefined until the running process has listed its tools: a cached list proves nothing. */
function toolsOf(catalogued: CatalogueServer | undefined): ReadonlySet<unknown> | undefined {
  if (catalogued === undefined || catalogued.cached || catalogued.offer.protocolVersion === '')
    return undefined;
  return new Set(catalogued.offer.tools.map(({ name }) => name));
}

function warning(option: string, what: string): Problem {
  return problem(
    'config.invalid_schema',
    `patchbay.${option}: ${what}.`,
    'Fix or remove the name in the config.',
  );
}
