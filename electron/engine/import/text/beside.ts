import { isRecord } from '../../../../shared/json.ts';
import type { JsonNode } from '../../config/parse.ts';
import { memberOf, membersOf, plainValue } from '../../config/tree.ts';
import type { Entry } from './dialects.ts';

/**
 * Members that a program keeps beside its servers and that are about them, by a server's name: those that are off
 * (Gemini CLI, Claude Code), and tools that may not be called (opencode) or that alone may be (the API of Anthropic).
 */
export function saidBeside(node: JsonNode): (name: string) => Entry {
  const off = new Set(offLists.flatMap((path) => namesAt(node, path) ?? []));
  const listed = onlyLists.map((path) => namesAt(node, path)).find((names) => names !== undefined);
  const only = listed === undefined ? undefined : new Set(listed);
  const member = memberOf(node, 'tools')?.value;
  const tools = member === undefined ? undefined : plainValue(member);
  const filters = filtersIn(tools);
  const patterns = offPatterns(tools, memberOf(node, 'agent')?.value);
  return (name) => ({
    ...(off.has(name) || only?.has(name) === false ? { disabled: true } : {}),
    ...(filters.has(name) ? { toolFilter: filters.get(name) } : {}),
    ...ofPatterns(patterns, name),
  });
}

/** Each is compared with each server. */
const mostPatterns = 500;

const offLists = [
  ['excludeMCPServers'],
  ['disabledMcpServers'],
  ['disabledMcpjsonServers'],
  ['mcp', 'excluded'],
];
const onlyLists = [['allowMCPServers'], ['mcp', 'allowed']];

function namesAt(node: JsonNode, path: readonly string[]): readonly unknown[] | undefined {
  const found = path.reduce<JsonNode | undefined>((one, name) => memberOf(one, name)?.value, node);
  const names = found?.type === 'array' ? plainValue(found) : undefined;
  return Array.isArray(names) && names.length > 0 ? names : undefined;
}

/** `{ type: "mcp_toolset", mcp_server_name, default_config, configs }`. */
function filtersIn(tools: unknown): ReadonlyMap<string, Entry> {
  const sets = (Array.isArray(tools) ? tools : []).filter(isRecord);
  return new Map(
    sets.flatMap(({ mcp_server_name: name, default_config: usual, configs }): [string, Entry][] => {
      const filter = {
        ...(isRecord(usual) && usual.enabled === false ? { '*': false } : {}),
        ...(isRecord(configs) ? configs : {}),
      };
      return typeof name === 'string' && Object.keys(filter).length > 0 ? [[name, filter]] : [];
    }),
  );
}

/** Patterns of tools that are off, and that no agent has on. */
function offPatterns(tools: unknown, agents: JsonNode | undefined): readonly string[] {
  if (!isRecord(tools)) return [];
  const on = new Set(
    membersOf(agents)
      .flatMap((agent) => membersOf(memberOf(agent.value, 'tools')?.value))
      .filter(({ value }) => value.value === true)
      .map(({ key }) => key),
  );
  return Object.keys(tools)
    .filter((one) => tools[one] === false && one !== '*' && !on.has(one))
    .slice(0, mostPatterns);
}

/** `{ "kite*": false, "kite_drop": false }`: tools bear the name of their server in front. */
function ofPatterns(off: readonly string[], name: string): Entry {
  const isOff = off.some((pattern) => pattern.endsWith('*') && `${name}_`.startsWith(pattern.slice(0, -1)));
  const denied = off.filter((one) => one.startsWith(`${name}_`)).map((one) => one.slice(name.length + 1));
  return isOff ? { disabled: true } : denied.length === 0 ? {} : { deniedTools: denied };
}
