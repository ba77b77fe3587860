import { isRecord } from '../../../shared/json.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';

type Entry = Readonly<Record<string, unknown>>;
type Step = (entry: Entry) => { readonly entry: Entry; readonly notes?: readonly EntryIssue[] };

/** What single programs write in a way of their own: names of fields, seconds, lists of tools. */
export const dialectSteps: readonly Step[] = [readGoose, readCodex, readDisabledTools, refuseBuiltIn];

/** `cmd`, `envs`, `uri` (goose), and what it says of an extension beside it. */
function readGoose(entry: Entry): { readonly entry: Entry } {
  const { cmd, envs, uri, ...rest } = entry;
  if (typeof cmd !== 'string' && typeof uri !== 'string') return { entry };
  const { name: _name, description: _text, display_name: _title, bundled: _bundled, ...own } = rest;
  return {
    entry: {
      ...own,
      ...(typeof cmd === 'string' ? { command: cmd } : {}),
      ...(typeof uri === 'string' ? { url: uri } : {}),
      ...(isRecord(envs) ? { env: envs } : {}),
    },
  };
}

/** Variables by name, headers from variables, seconds (Codex). */
function readCodex(entry: Entry): { readonly entry: Entry } {
  const {
    bearer_token_env_var: bearer,
    http_headers: headers,
    env_http_headers: envHeaders,
    env_vars: names,
    tool_timeout_sec: seconds,
    startup_timeout_sec: _startup,
    startup_timeout_ms: _startupToo,
    ...rest
  } = entry;
  const merged = {
    ...asRecord(rest.headers),
    ...asRecord(headers),
    ...references(asRecord(envHeaders)),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {}),
  };
  const variables = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  const env = {
    ...references(Object.fromEntries(variables.map((name) => [name, name]))),
    ...asRecord(rest.env),
  };
  return {
    entry: {
      ...rest,
      ...(Object.keys(merged).length === 0 ? {} : { headers: merged }),
      ...(variables.length === 0 ? {} : { env }),
      ...(typeof seconds === 'number' && seconds > 0 ? { timeout: seconds * 1000 } : {}),
    },
  };
}

/** Each value is the name of a variable. */
function references(names: Entry): Entry {
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, `\${${String(name)}}`]));
}

/** `disabledTools` (Roo, Cherry Studio), `disabled_tools` (Codex), `excludeTools` (Gemini CLI). */
function readDisabledTools(entry: Entry): { readonly entry: Entry } {
  const { disabledTools, disabled_tools: codex, excludeTools, ...rest } = entry;
  const names = [disabledTools, codex, excludeTools]
    .flat()
    .filter((name): name is string => typeof name === 'string');
  if (names.length === 0) return { entry: rest };
  const own = asRecord(rest.patchbay);
  return { entry: { ...rest, patchbay: { ...own, disabledTools: [...new Set(names)] } } };
}

/** Some programs list what is part of them beside real servers. */
function refuseBuiltIn(entry: Entry): ReturnType<Step> {
  const { type } = entry;
  if (typeof type !== 'string' || !builtIn.has(type)) return { entry };
  const message = `type "${type}" is part of the program it comes from; there is no server to run`;
  return { entry, notes: [{ severity: 'error', path: 'type', message }] };
}

const builtIn: ReadonlySet<string> = new Set([
  'builtin',
  'platform',
  'inMemory',
  'frontend',
  'inline_python',
]);

function asRecord(value: unknown): Entry {
  return isRecord(value) ? value : {};
}
