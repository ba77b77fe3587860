import { isRecord, scalarText } from '../../../../../shared/json.ts';
import { toolListOf } from '../../../config/entry/tool-lists.ts';
import { asRecord, type Entry, timeoutUnitOf } from './dialects.ts';
import { type Step, withoutNull } from './entry-step.ts';
import { hostNames, innerNames, plainInnerNames, targetMembers } from './server-like.ts';

/** Reads `params: { command, args }` of programs and agents, with options beside it. */
export function liftInner(entry: Entry): Entry {
  const name = isTarget(entry) ? undefined : innerMembers.find((one) => containsTarget(entry[one]));
  if (name === undefined) return entry;
  const { [name]: inner, timeout, type, ...others } = entry;
  // An agent's tool type says that it is an MCP server, but not which kind.
  const rest = Object.fromEntries(
    Object.entries({ ...others, ...(/mcp/i.test(scalarText(type)) ? {} : { type }) }).filter(
      ([one, value]) =>
        typeof value === 'string' ||
        typeof value === 'object' ||
        /abled$/.test(one) ||
        timeoutUnitOf(one) !== undefined,
    ),
  );
  // A timeout beside the command of a connection limits its start.
  const own = timeout === undefined || name === 'server_params' ? rest : { ...rest, timeout };
  return liftInner({ ...withoutNull(asRecord(inner)), ...own });
}

const innerMembers: readonly string[] = [...innerNames, ...plainInnerNames];

function isTarget(entry: Entry): boolean {
  return ['command', 'transport', ...targetMembers].some((name) => entry[name] !== undefined);
}

function containsTarget(value: unknown): boolean {
  return isRecord(value) && (isTarget(value) || innerMembers.some((name) => isRecord(value[name])));
}

/**
 * Turns agentgateway's `mcp: { host }`, `sse: { host, port, path }`, `static: { host, port, path, protocol }`
 * into an address.
 */
export function liftHost(entry: Entry): Entry {
  const name = isTarget(entry) ? undefined : hostNames.find((one) => isRecord(entry[one]));
  if (name === undefined) return entry;
  const { [name]: target, ...rest } = entry;
  const { host, port, path: written, protocol, ...others } = asRecord(target);
  const type = name === 'sse' || /^sse$/i.test(scalarText(protocol)) ? 'sse' : 'http';
  const path = written ?? (type === 'sse' ? '/sse' : '/mcp');
  if (typeof host !== 'string' || host === '') return entry;
  const isSafe = scalarText(port) === '443';
  const base = /^https?:\/\//i.test(host)
    ? host
    : `${isSafe ? 'https' : 'http'}://${host}${isSafe || port === undefined ? '' : `:${port}`}`;
  const hasPath = /^https?:\/\/[^/]+\/./i.test(base);
  return {
    ...withoutNull(others),
    ...rest,
    type,
    url: hasPath ? base : `${base.replace(/\/$/, '')}/${scalarText(path).replace(/^\//, '')}`,
  };
}

/**
 * Reads `config: { enable }` beside `info` (Open WebUI), and `anythingllm: { autoStart, suppressedTools }`.
 */
export function readOwnOptions(entry: Entry): Entry {
  const { anythingllm, ...others } = entry;
  const { autoStart, suppressedTools } = asRecord(anythingllm);
  const known = {
    ...others,
    ...(autoStart === false ? { enabled: false } : {}),
    ...(suppressedTools === undefined ? {} : { suppressedTools }),
  };
  const { info, config, path: _, ...rest } = known as Entry;
  if (!isRecord(info) || !isRecord(config) || typeof rest.url !== 'string') return known;
  const { id, name } = info;
  const listed = typeof config.function_name_filter_list === 'string' ? config.function_name_filter_list : '';
  const names = listed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const only = names.filter((one) => !one.startsWith('!'));
  const not = names.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  return {
    ...rest,
    enabled: config.enable ?? true,
    ...(only.length === 0 ? {} : { includeTools: only }),
    ...(not.length === 0 ? {} : { excludeTools: not }),
    ...(typeof name === 'string' && name !== id ? { name } : {}),
  };
}

/** Reads `options` or `settings` with the switch and the lists of tools, as routers and desktop apps write them. */
export function readOptions(entry: Entry): ReturnType<Step> {
  const name = ['options', 'settings'].find((one) => isRecord(entry[one]));
  if (name === undefined) return { entry };
  const { [name]: held, ...rest } = entry;
  const options = Object.entries(asRecord(held));
  const isKnown = (one: string) =>
    optionMembers.has(one) || timeoutUnitOf(one) !== undefined || toolListOf(one) !== undefined;
  const left = options.filter(([one]) => !isKnown(one) || one in rest);
  if (left.length === options.length) return { entry };
  return {
    entry: {
      ...rest,
      ...withoutNull(Object.fromEntries(options.filter((option) => !left.includes(option)))),
      ...(left.length === 0 ? {} : { [name]: Object.fromEntries(left) }),
    },
  };
}

const optionMembers: ReadonlySet<string> = new Set(['disabled', 'enabled', 'timeout', 'headers', 'env']);
