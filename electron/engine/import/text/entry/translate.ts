import { isRecord, scalarText } from '../../../../../shared/json.ts';
import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import { splitCommand } from '../../../../../shared/split-command.ts';
import { aliases } from '../../../config/entry/aliases.ts';
import { readKeyHeader, readOauthClient, readVariables } from '../../../config/entry/key-members.ts';
import { commandLine, unwrapShell } from '../shell/shell-wrapper.ts';
import { readContainer } from './containers.ts';
import { asRecord, builtInTypes, type Dialect, dialectOf, type Entry, typeSpellings } from './dialects.ts';
import { liftHost, liftInner, readOptions, readOwnOptions } from './entry-options.ts';
import { isEmpty, type Step, warning, withoutNull } from './entry-step.ts';
import { readTexts } from './entry-texts.ts';
import { readEnabled } from './read-enabled.ts';
import { readTimeout } from './timeouts.ts';
import { readToolLists } from './tool-lists.ts';

/** An entry in our form, with remarks on what its author should know. */
export interface Translated {
  readonly entry: Entry;
  readonly notes: readonly EntryIssue[];
}

/** The origin of an entry: the member that holds it, and the client, if known. */
export interface EntryOrigin {
  readonly holder: string;
  readonly client?: string;
  /** Program that the neighbouring entries belong to. */
  readonly kin?: Dialect;
}

/** Translates an entry of another program into ours. Fields without a meaning here are kept as they are. */
export function translateEntry(written: Entry, { holder, client, kin }: EntryOrigin): Translated {
  const dialect = dialectOf(written, holder, client) ?? kin;
  return steps.reduce<Translated>(
    (done, step) => {
      const { entry, notes = [] } = step(done.entry, dialect);
      return { entry, notes: [...done.notes, ...notes] };
    },
    { entry: written, notes: [] },
  );
}

const steps: readonly Step[] = [
  (entry) => ({ entry: liftHost(liftInner(withoutNull(entry))) }),
  readOptions,
  (entry) => ({ entry: readOwnOptions(entry) }),
  (entry) => ({ entry: readDescription(entry) }),
  (entry) => ({ entry: liftTransport(entry) }),
  (entry) => ({ entry: readKeyHeader(readVariables(entry)) }),
  (entry) => ({ entry: renameMembers(entry) }),
  (entry) => ({ entry: liftCommand(entry) }),
  splitCommandLine,
  readTexts,
  (entry) => ({ entry: readContainer(entry) }),
  (entry) => ({ entry: unwrapShell(entry) }),
  spellType,
  readEnabled,
  (entry) => ({ entry: readOauthClient(entry) }),
  readTimeout,
  readToolLists,
  chooseTarget,
  warnAboutExtension,
  warnAboutHttp,
  warnAboutHelper,
];

/**
 * Reads an entry of a goose extension, a Python SDK or a hosted API, without the fields that only describe
 * it.
 */
function readDescription(entry: Entry): Entry {
  const { cmd, uri, server_url: hosted, authorization_token: token, ...rest } = entry;
  if (
    typeof cmd !== 'string' &&
    typeof uri !== 'string' &&
    typeof hosted !== 'string' &&
    token === undefined
  ) {
    return entry;
  }
  const {
    name: _name,
    description: _text,
    display_name: _title,
    bundled: _bundled,
    server_label: _label,
    server_description: _about,
    require_approval: _approval,
    ...own
  } = rest;
  const key = hosted !== undefined && typeof own.authorization === 'string' ? own.authorization : token;
  return {
    ...own,
    ...(cmd === undefined ? {} : { cmd }),
    ...(uri === undefined ? {} : { uri }),
    ...(hosted === undefined
      ? {}
      : { server_url: hosted, ...(own.type === 'mcp' ? { type: undefined } : {}) }),
    ...(typeof key === 'string'
      ? {
          authorization: undefined,
          headers: { ...asRecord(own.headers), Authorization: `Bearer ${key.replace(/^bearer\s+/i, '')}` },
        }
      : {}),
  };
}

/** A Zed entry that only configures an extension has nothing to run. */
function warnAboutExtension(entry: Entry, dialect: Parameters<Step>[1]): ReturnType<Step> {
  const isExtension = entry.source === 'extension' || (dialect?.title === 'Zed' && isRecord(entry.settings));
  if (!isExtension || entry.command !== undefined || entry.url !== undefined) return { entry };
  const message = 'this server comes from a Zed extension; Patchbay cannot run it';
  return { entry, notes: [{ severity: 'error', path: '', message }] };
}

/** A program with an HTTP transport does not respond on stdio. */
function warnAboutHttp(entry: Entry): ReturnType<Step> {
  const { command, args } = entry;
  if (typeof command !== 'string' || !Array.isArray(args)) return { entry };
  const words = args.flat().map(scalarText);
  const at = words.findIndex((word) => /^--transport(?:=|$)/.test(word));
  const kind = at === -1 ? '' : (words[at]?.split('=')[1] ?? words[at + 1] ?? '');
  const isBridge = words.some((word) => /^https?:/.test(word) || /mcp-remote|mcp-proxy|gateway/.test(word));
  if (isBridge || !/^(?:https?|sse|streamable[-_]?http)$/.test(kind)) return { entry };
  const message = `--transport ${kind} makes the program serve over HTTP; remove that option, or start the program yourself and add its address`;
  return { entry, notes: [warning('args', message)] };
}

/**
 * Reads `transport: { type, url, headers }`, `transport: "sse"`, `requestInit: { headers }`, `requestOptions:
 * { headers }`.
 */
function liftTransport(entry: Entry): Entry {
  const { transport, requestOptions, requestInit = requestOptions, ...others } = withoutNull(entry);
  const rest =
    isRecord(requestInit) && isRecord(requestInit.headers)
      ? { headers: requestInit.headers, ...others }
      : { ...(requestInit === undefined ? {} : { requestInit }), ...others };
  if (isRecord(transport)) return { ...withoutNull(transport), ...rest };
  if (typeof transport === 'string') return { type: transport, ...rest };
  return transport === undefined ? rest : { transport, ...rest };
}

/** Renames other programs' members. An empty address beside a command is ignored. */
function renameMembers(entry: Entry): Entry {
  const renamed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (own === undefined) {
      if (!(name === 'url' && renamed.url !== undefined && value === '')) renamed[name] = value;
    } else if (renamed[own] === undefined || renamed[own] === '') {
      if (entry[own] === undefined || entry[own] === '' || isEmpty(entry[own])) renamed[own] = value;
    }
  }
  for (const name of ['url', 'cwd', 'envFile', 'type']) if (renamed[name] === '') delete renamed[name];
  if (renamed.command === '' && renamed.url !== undefined) delete renamed.command;
  const isGemini = entry.httpUrl === renamed.url && renamed.url !== undefined && renamed.type === undefined;
  const isSse =
    (entry.sseUrl ?? entry.sseEndpoint) === renamed.url &&
    renamed.url !== undefined &&
    renamed.type === undefined;
  return { ...(isGemini ? { type: 'http' } : isSse ? { type: 'sse' } : {}), ...renamed };
}

/** Reads `command: { path, args, env }` (Zed), with settings for its own extensions beside it. */
function liftCommand(entry: Entry): Entry {
  const { command, source: _, ...rest } = entry;
  if (!isRecord(command)) return entry;
  const { path, command: name = path, ...others } = withoutNull(command);
  const { settings, ...kept } = rest;
  return { ...others, ...(settings === undefined || isEmpty(settings) ? kept : rest), command: name };
}

/** Splits a command and its arguments in one list or line; a path with spaces stays intact. */
function splitCommandLine(entry: Entry): ReturnType<Step> {
  const { command, args, ...rest } = entry;
  const given = Array.isArray(args) ? args : [];
  if (Array.isArray(command)) {
    return { entry: { ...rest, command: command[0], args: [...command.slice(1), ...given] } };
  }
  // Witsy stores the arguments of a program in the field of the address.
  if (typeof command === 'string' && command !== '' && entry.type === 'stdio' && isArguments(entry.url)) {
    const { url, ...own } = rest;
    return { entry: { ...own, command, args: [...splitCommand(String(url)), ...given] } };
  }
  const line = typeof command === 'string' ? commandLine(command) : undefined;
  if (line === undefined) return { entry };
  const [program, ...words] = line.words;
  const message = 'command contained arguments; they were moved to args';
  const env = isEmpty(line.env) ? {} : { env: { ...line.env, ...asRecord(rest.env) } };
  const split = { ...rest, command: program, args: [...words, ...given], ...env };
  return { entry: split, notes: [warning('command', message)] };
}

function isArguments(url: unknown): boolean {
  return typeof url === 'string' && url.trim() !== '' && !/^[a-z]+:\/\//i.test(url);
}

function spellType(entry: Entry): ReturnType<Step> {
  if (typeof entry.type !== 'string') return { entry };
  if (builtInTypes.has(entry.type.toLowerCase())) {
    const message = `type "${entry.type}" is built into the program it comes from; there is no server to run`;
    return { entry, notes: [{ severity: 'error', path: 'type', message }] };
  }
  // AutoGen and others write the class: `StdioServerParams`.
  const spelling = entry.type
    .toLowerCase()
    .replace(/[-_ ]/g, '')
    .replace(/(?:server|connection)?param(?:eter)?s$/, '');
  const type = Object.hasOwn(typeSpellings, spelling) ? typeSpellings[spelling] : undefined;
  if (type !== undefined) return { entry: { ...entry, type } };
  const { type: _, ...rest } = entry;
  // An agent's tool type says that it is an MCP server; its target says which kind.
  const isKind = spelling.includes('mcp') && (entry.command !== undefined || entry.url !== undefined);
  return { entry: isKind ? rest : entry };
}

/** Programs with both fields leave the other one empty, or use the type to choose. */
function chooseTarget(entry: Entry): ReturnType<Step> {
  const { command, url, args, ...rest } = entry;
  if (command === '' && typeof url === 'string') return { entry: { ...rest, url } };
  if (typeof url === 'string' && command === undefined && entry.type === 'stdio') {
    const { type: _, ...reached } = entry;
    const message = 'type stdio was ignored, since there is a url and no command';
    return { entry: reached, notes: [warning('type', message)] };
  }
  if (typeof command !== 'string' || typeof url !== 'string') {
    if (typeof url === 'string' && Array.isArray(args) && args.length === 0)
      return { entry: { ...rest, url } };
    return { entry };
  }
  if (entry.type === 'stdio') return { entry: { ...rest, command, ...(args === undefined ? {} : { args }) } };
  if (entry.type === 'http' || entry.type === 'sse') return { entry: { ...rest, url } };
  return { entry };
}

/** Warns about a program that creates the headers for each call. */
function warnAboutHelper(entry: Entry): ReturnType<Step> {
  const { headersHelper, ...rest } = entry;
  if (headersHelper === undefined) return { entry };
  const message = 'headersHelper is not run here; add the headers that it returns';
  return { entry: rest, notes: [warning('headers', message)] };
}
