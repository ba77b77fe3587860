import { isRecord } from '../../../../shared/json.ts';
import type { JsonNode } from '../../config/parse.ts';
import { memberOf, plainValue } from '../../config/tree.ts';
import type { Entry } from './dialects.ts';

/**
 * Members that a program keeps beside its servers and that are about them, by a server's name: those that are off
 * (Gemini CLI, Claude Code), and tools that may not be called (opencode) or that alone may be (the API of Anthropic).
 */
export function saidBeside(node: JsonNode): (name: string) => Entry {
  const off = offLists.flatMap((path) => namesAt(node, path) ?? []);
  const only = onlyLists.map((path) => namesAt(node, path)).find((names) => names !== undefined);
  const member = memberOf(node, 'tools')?.value;
  const tools = member === undefined ? undefined : plainValue(member);
  return (name) => ({
    ...(off.includes(name) || (only !== undefined && !only.includes(name)) ? { disabled: true } : {}),
    ...(Array.isArray(tools) ? ofToolset(tools, name) : {}),
    ...(isRecord(tools) ? ofPatterns(tools, name) : {}),
  });
}

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
function ofToolset(tools: readonly unknown[], name: string): Entry {
  const toolset = tools.find((one): one is Entry => isRecord(one) && one.mcp_server_name === name);
  const { default_config: usual, configs } = toolset ?? {};
  const filter = {
    ...(isRecord(usual) && usual.enabled === false ? { '*': false } : {}),
    ...(isRecord(configs) ? configs : {}),
  };
  return Object.keys(filter).length === 0 ? {} : { toolFilter: filter };
}

/** `{ "kite*": false, "kite_drop": false }`: tools bear the name of their server in front. */
function ofPatterns(tools: Entry, name: string): Entry {
  const off = Object.keys(tools).filter((pattern) => tools[pattern] === false && pattern !== '*');
  const isOff = off.some((pattern) => pattern.endsWith('*') && `${name}_`.startsWith(pattern.slice(0, -1)));
  const denied = off
    .filter((pattern) => pattern.startsWith(`${name}_`))
    .map((pattern) => pattern.slice(name.length + 1));
  return isOff ? { disabled: true } : denied.length === 0 ? {} : { deniedTools: denied };
}
