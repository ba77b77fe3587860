import { isRecord } from '../../../../shared/json.ts';
import type { JsonNode } from '../../config/parse.ts';
import { memberOf, membersOf, plainValue } from '../../config/tree.ts';
import type { Entry } from './dialects.ts';

/**
 * Reads members beside the servers that are about them, by a server's name: servers that are off (Gemini CLI,
 * Claude Code), and tools that may not be called (opencode) or that are the only ones allowed (the API of
 * Anthropic).
 */
export function readSiblingMembers(node: JsonNode): (name: string) => Entry {
  const off = new Set(offLists.flatMap((path) => namesAt(node, path) ?? []));
  const listed = onlyLists.map((path) => namesAt(node, path)).find((names) => names !== undefined);
  const only = listed === undefined ? undefined : new Set(listed);
  const member = memberOf(node, 'tools')?.value;
  const tools = member === undefined ? undefined : plainValue(member);
  const filters = filtersIn(tools);
  const rules = memberOf(node, 'permission')?.value;
  const switches = [tools, rules === undefined ? undefined : plainValue(rules)].filter(isRecord);
  const patterns = switches.flatMap((one) => offPatterns(one, memberOf(node, 'agent')?.value));
  const named = switches.flatMap((one) => Object.keys(one).filter((name) => isOn(one[name])));
  return (name) => ({
    ...(off.has(name) || only?.has(name) === false ? { disabled: true } : {}),
    ...(filters.has(name) ? { toolFilter: filters.get(name) } : {}),
    ...toolOptions(patterns, named, name),
  });
}

/** Each pattern is compared with each server. */
const maxPatterns = 500;

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

/** Reads `{ type: "mcp_toolset", mcp_server_name, default_config, configs }`. */
function filtersIn(tools: unknown): ReadonlyMap<string, Entry> {
  const sets = (Array.isArray(tools) ? tools : []).filter(isRecord);
  return new Map(
    sets.flatMap(({ mcp_server_name: name, default_config: defaults, configs }): [string, Entry][] => {
      const filter = {
        ...(isRecord(defaults) && defaults.enabled === false ? { '*': false } : {}),
        ...(isRecord(configs) ? configs : {}),
      };
      return typeof name === 'string' && Object.keys(filter).length > 0 ? [[name, filter]] : [];
    }),
  );
}

/** Returns patterns of tools that are off (`tools`) or denied (`permission`), unless an agent has them on. */
function offPatterns(tools: Entry, agents: JsonNode | undefined): readonly string[] {
  const on = new Set(
    membersOf(agents)
      .flatMap((agent) =>
        ['tools', 'permission'].flatMap((name) => membersOf(memberOf(agent.value, name)?.value)),
      )
      .filter(({ value }) => isOn(value.value))
      .map(({ key }) => key),
  );
  return Object.keys(tools)
    .filter((one) => (tools[one] === false || tools[one] === 'deny') && one !== '*' && !on.has(one))
    .slice(0, maxPatterns);
}

function isOn(value: unknown): boolean {
  return value === true || value === 'allow' || value === 'ask';
}

/** Reads `{ "kite*": false, "kite_drop": false }`: tool names are prefixed with their server's. */
function toolOptions(off: readonly string[], on: readonly string[], name: string): Entry {
  const isOff = off.some((pattern) => pattern.endsWith('*') && `${name}_`.startsWith(pattern.slice(0, -1)));
  const denied = off.filter((one) => one.startsWith(`${name}_`)).map((one) => one.slice(name.length + 1));
  // A tool that is listed by name stays on despite a pattern that is off.
  const allowed = on.filter((one) => one.startsWith(`${name}_`) && !one.includes('*'));
  if (isOff && allowed.length > 0) return { allowedTools: allowed.map((one) => one.slice(name.length + 1)) };
  return isOff ? { disabled: true } : denied.length === 0 ? {} : { deniedTools: denied };
}
