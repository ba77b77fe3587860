import { isRecord } from '../../../shared/json.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import { launcherWords } from '../../../shared/split-command.ts';
import { dialectSteps } from './paste-dialects.ts';

type Entry = Readonly<Record<string, unknown>>;

/** An entry in our form, with remarks on what was read in a way its writer should know of. */
export interface Translated {
  readonly entry: Entry;
  readonly notes: readonly EntryIssue[];
}

/** Turns an entry written for another program into ours. Fields without a meaning here are kept as they are. */
export function translateEntry(entry: Entry): Translated {
  return steps.reduce<Translated>(
    (done, step) => {
      const { entry: next, notes = [] } = step(done.entry);
      return { entry: next, notes: [...done.notes, ...notes] };
    },
    { entry, notes: [] },
  );
}

type Step = (entry: Entry) => { readonly entry: Entry; readonly notes?: readonly EntryIssue[] };

const steps: readonly Step[] = [
  ...dialectSteps,
  liftTransport,
  renameAddress,
  liftCommand,
  splitCommand,
  spellType,
  readSwitch,
  readTimeout,
  renameEnvironment,
];

/** `transport: { type, url, headers }`, `transport: "sse"`, `transportType: "sse"`. */
function liftTransport(entry: Entry): { readonly entry: Entry } {
  const { transport, transportType, ...rest } = entry;
  const name = typeof transport === 'string' ? transport : transportType;
  if (isRecord(transport)) return { entry: { ...transport, ...rest } };
  return typeof name === 'string' ? { entry: { type: name, ...rest } } : { entry };
}

/** `serverUrl` (Windsurf), `httpUrl` (Gemini), `baseUrl` (Cherry Studio). Empty ones stand beside a command there. */
function renameAddress(entry: Entry): { readonly entry: Entry } {
  const { serverUrl, httpUrl, baseUrl, ...rest } = entry;
  const given = [serverUrl, httpUrl, baseUrl].find((url) => typeof url === 'string' && url !== '');
  const { url, ...others } = rest;
  const address = typeof url === 'string' && url !== '' ? url : given;
  if (address === undefined) return { entry: url === '' && 'command' in others ? others : rest };
  const type = address === httpUrl && !('type' in rest) ? { type: 'http' } : {};
  return { entry: { ...type, ...others, url: address } };
}

/** `command: { path, args, env }` (Zed), with settings for its own extensions beside it. */
function liftCommand(entry: Entry): { readonly entry: Entry } {
  const { command, source: _, ...rest } = entry;
  if (!isRecord(command)) return { entry };
  const { path, command: name = path, ...others } = command;
  const { settings, ...kept } = rest;
  const isUnused = isRecord(settings) && Object.keys(settings).length === 0;
  return { entry: { ...others, ...(isUnused || settings === undefined ? kept : rest), command: name } };
}

/** A command with its arguments in one list or one line; a path with blanks stays whole. */
function splitCommand(entry: Entry): ReturnType<Step> {
  const { command, args, ...rest } = entry;
  const given = Array.isArray(args) ? args : [];
  if (Array.isArray(command)) {
    return { entry: { ...rest, command: command[0], args: [...command.slice(1), ...given] } };
  }
  const line = typeof command === 'string' && given.length === 0 ? launcherWords(command) : undefined;
  if (line === undefined) return { entry };
  const [program, ...words] = line;
  const message = 'command held arguments; they were moved to args';
  return { entry: { ...rest, command: program, args: words }, notes: [warning('command', message)] };
}

function spellType(entry: Entry): { readonly entry: Entry } {
  if (typeof entry.type !== 'string') return { entry };
  const type = spellings[entry.type.toLowerCase().replace(/[-_ ]/g, '')];
  return { entry: type === undefined ? entry : { ...entry, type } };
}

const spellings: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  local: 'stdio',
  sse: 'sse',
  http: 'http',
  streamablehttp: 'http',
  streamable: 'http',
  remote: 'http',
};

/** `isActive` (Cherry Studio) and `enabled` mean the opposite of `disabled`. */
function readSwitch(entry: Entry): { readonly entry: Entry } {
  const { isActive, enabled, ...rest } = entry;
  if (isActive === false || enabled === false) return { entry: { ...rest, disabled: true } };
  return { entry: rest };
}

/** No call is meant to end within a second: such a number counts seconds (Cline, Roo). */
function readTimeout(entry: Entry): ReturnType<Step> {
  const { timeout } = entry;
  if (typeof timeout !== 'number' || timeout <= 0 || timeout >= 1000) return { entry };
  const message = `timeout was read as ${timeout} seconds`;
  return { entry: { ...entry, timeout: timeout * 1000 }, notes: [warning('timeout', message)] };
}

/** `environment` (opencode). */
function renameEnvironment(entry: Entry): { readonly entry: Entry } {
  const { environment, ...rest } = entry;
  return { entry: isRecord(environment) && !('env' in rest) ? { ...rest, env: environment } : entry };
}

function warning(path: string, message: string): EntryIssue {
  return { severity: 'warning', path, message };
}
