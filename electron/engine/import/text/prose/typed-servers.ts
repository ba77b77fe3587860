import { scalarText } from '../../../../../shared/json.ts';
import type { Entry } from '../entry/dialects.ts';
import type { AddedServer } from '../shell/add-command.ts';
import { serversAddedBy } from '../shell/client-commands.ts';
import { type Purpose, purposeOf } from '../shell/command-purpose.ts';
import { commandsInProse, spansOf, withCommandsOnLines } from '../shell/commands-in-prose.ts';
import { fields, optionalMember } from '../shell/fields.ts';
import { isMentionedPath } from '../shell/paths.ts';
import { baseName } from '../shell/runners.ts';
import { type ShellCommand, shellCommands } from '../shell/shell.ts';
import { addressKind } from './addresses.ts';
import { labelledServer } from './form-fields.ts';
import { addressesIn } from './links.ts';
import { serversFromStatusList } from './status-list.ts';
import {
  mergeReadings,
  noServer,
  nothing,
  oneServer,
  readAddress,
  readLine,
  type TypedReading,
} from './typed-line.ts';

/** Returns servers that client commands add, anywhere in a text. */
export function addedServers(text: string, codes: readonly string[]): readonly AddedServer[] {
  const found = [text, ...codes].flatMap((one) =>
    addCommand.test(one)
      ? shellCommands(withCommandsOnLines(one, addCommand)).flatMap(
          (command) => serversAddedBy(command) ?? [],
        )
      : [],
  );
  const seen = new Set<string>();
  const known = new Set(found.filter(({ entry }) => !isOpenUrl(entry)).map(({ name }) => name));
  return found.filter((server) => {
    const text = JSON.stringify(server);
    // If a text contains the address of a server, another mention with a placeholder adds nothing.
    if (isOpenUrl(server.entry) && known.has(server.name)) return false;
    return !seen.has(text) && seen.add(text) !== undefined;
  });
}

function isOpenUrl({ url }: Entry): boolean {
  return typeof url === 'string' && !url.includes('://');
}

const addCommand =
  /\b(?:mcp|mcporter\s+config)\s+(?:add|set|install)|--add-mcp|--mcp-config|--with-[a-z-]{0,40}extension|\bfastmcp\s+install/;

/**
 * Reads servers from lines: command lines, package names, addresses. Prose is ignored; installers and web
 * pages are reported.
 */
export function typedServers(text: string, codes: readonly string[]): TypedReading {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|```|~~~|\/\/)/.test(line));
  const alone = lines.length > 0 && lines.length <= 100 ? lines.map(readLine) : [];
  if (alone.length > 0 && alone.every((one) => one !== undefined)) return mergeReadings(alone);
  const listed = serversFromStatusList(text);
  if (listed.length > 0) return mergeReadings(listed.map(({ name, entry }) => oneServer(name, entry)));
  const labelled = labelledServer(text);
  if (labelled !== undefined) {
    // The command beside an address is another way to run the same server.
    const { url } = labelled.entry;
    const isRemote = typeof url === 'string' && !localHost.test(url);
    const others = isRemote ? classify(codes.flatMap(shellCommands)).filter(isSureServer) : [];
    return mergeReadings([
      oneServer(labelled.name, labelled.entry),
      ...others.map(({ purpose }) => readPurpose(purpose)),
    ]);
  }
  const known = otherFiles.find(({ marks }) => marks.test(text));
  if (known !== undefined) return noServer(known.says);
  const commands = shellCommands(text);
  const whole = classify(commands);
  const isAll = whole.length > 0 && whole.every(({ purpose }) => purpose.kind !== 'other');
  const spans = new Set([text, ...spansOf(text)]);
  const shown = isAll
    ? whole
    : [
        ...classify(commandsIn(codes, spans)),
        ...classify(commandsIn([text], spans)).filter(({ purpose }) => isSure(purpose)),
      ];
  const typed = mergeReadings(shown.map(({ purpose }) => readPurpose(purpose)));
  if (typed.servers.length > 0) return mergeReadings([typed, addressesOnOwnLine(text, typed)]);
  const singleLines = codes.map((code) => readLine(code.trim())).filter((one) => one !== undefined);
  const named = mergeReadings(singleLines.filter(({ servers }) => servers.length > 0));
  if (named.servers.length > 0) return named;
  const fromProse = mergeReadings(shellCommands(commandsInProse(text)).map((command) => readSure(command)));
  if (fromProse.servers.length > 0) return mergeReadings([fromProse, addressesOnOwnLine(text, fromProse)]);
  const requested = mergeReadings(
    [...codes.flatMap(shellCommands), ...commands].flatMap(requestedAddress).slice(0, 1),
  );
  if (requested.servers.length > 0) return requested;
  if (typed.issues.length > 0 || jsonStart.test(text)) return typed;
  return withMentionedHeader(mergeReadings(addressesIn(text).map(readAddress)), text);
}

/** Returns addresses of servers on their own line or list item, beside commands for other servers. */
function addressesOnOwnLine(text: string, { servers }: TypedReading): TypedReading {
  const known = new Set(
    servers.flatMap(({ entry }) => (Array.isArray(entry.args) ? entry.args.map(scalarText) : [])),
  );
  const found = text.split('\n').flatMap((line) => {
    const [, address = ''] =
      /^[ \t]{0,20}(?:(?:[-*•]|\d{1,2}[.)])[ \t][^\n]{0,200}?)?(https?:\/\/[^\s)>\]`"'*]{1,2000})[ \t]{0,20}$/.exec(
        line,
      ) ?? [];
    if (address === '' || known.has(address) || localHost.test(address)) return [];
    known.add(address);
    const kind = addressKind(address);
    return kind.kind === 'server' && kind.isSure ? [readAddress(address)] : [];
  });
  return mergeReadings(found);
}

/** A server on this machine was started by a command beside it. */
const localHost = /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])/i;

/** Addresses in JSON are values of something else. A link, or the time of a message, is not JSON. */
const jsonStart = /^\s*(?:\{|\[(?![^[\]\n"]{0,200}\](?:[(:]|[ \t]+[^\s,\]}])))/;

/**
 * Returns the commands in pieces of a text, without paths that are only mentioned. Text between backticks is
 * part of a sentence.
 */
function commandsIn(pieces: readonly string[], spans: ReadonlySet<string>): readonly ShellCommand[] {
  return pieces.flatMap((piece) =>
    shellCommands(piece).filter((command) => !isMentionedPath(command, !spans.has(piece))),
  );
}

function readSure(command: ShellCommand): TypedReading {
  const purpose = purposeOf(command);
  return isSure(purpose) ? readPurpose(purpose) : nothing;
}

/** Programs that send the requests shown in instructions. */
const requestPrograms: ReadonlySet<string> = new Set(['curl', 'wget']);

/** A sample request in instructions contains the server's address and headers. */
function requestedAddress({ words }: ShellCommand): readonly TypedReading[] {
  const address = words.find((word) => /^https?:\/\//i.test(word));
  const isCall = /\/(?:mcp|sse)\b/i.test(address ?? '') || words.some((word) => word.includes('jsonrpc'));
  if (!requestPrograms.has(baseName(words[0] ?? '')) || address === undefined || !isCall) return [];
  const kind = addressKind(address);
  if (kind.kind === 'page') return [];
  const headers = fields(
    words.flatMap((word, at) =>
      /^(?:-H|--header)$/.test(words[at - 1] ?? '')
        ? [word]
        : (/^--header=(.+)$/s.exec(word)?.slice(1) ?? []),
    ),
    /:\s*/,
  );
  const own = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:accept|content-type|mcp-)/i.test(name)),
  );
  return [oneServer('', { url: address, ...optionalMember('headers', own) })];
}

/** `Authorization: Bearer …` beside the only address of a text belongs to that server. */
function withMentionedHeader(typed: TypedReading, text: string): TypedReading {
  const [only, ...others] = typed.servers;
  const [, name, value] =
    /(?:^|[\s"'`(*])(authorization|(?:x-)?api-key|x-[a-z-]{1,40}-(?:key|token))["'`*]{0,3}[ \t]{0,5}[:=][ \t]{0,5}["'`*]{0,3}((?:(?:bearer|basic|token)[ \t]+)?[^\s"'`,)]{3,500})/i.exec(
      text,
    ) ?? [];
  if (only === undefined || others.length > 0 || name === undefined || value === undefined) return typed;
  // A value that ends with closing brackets of code, or is only a scheme, does not count.
  const isCode = value.split(/[({]/).length < value.split(/[)}]/).length;
  if (isCode || /^(?:bearer|basic|token)$/i.test(value)) return typed;
  return { ...typed, servers: [{ ...only, entry: { ...only.entry, headers: { [name]: value } } }] };
}

/** Files that accompany a server but do not start it. */
const otherFiles: readonly { readonly marks: RegExp; readonly says: string }[] = [
  {
    marks: /^services:[ \t]*$[\s\S]{0,5000}^[ \t]+(?:image|build):/m,
    says: 'This is a Docker Compose file. Paste the docker run command of the server, or its address.',
  },
  {
    marks: /^FROM \S+[\s\S]{0,3000}^(?:CMD|ENTRYPOINT) /m,
    says: 'This is a Dockerfile. Paste the docker run command of the server.',
  },
  {
    marks: /^\[project\][ \t]*$|^\[tool\.poetry\][ \t]*$/m,
    says: 'This is a pyproject.toml. Paste the command that starts the server, such as uvx with its package.',
  },
  {
    marks: /^\s*\{[\s\S]{0,3000}"(?:scripts|bin)"\s*:\s*[{"]/,
    says: 'This is a package.json, not a config. Paste the command that starts the server, such as npx -y with its package.',
  },
];

interface ClassifiedCommand {
  readonly purpose: Purpose;
}

function classify(commands: readonly ShellCommand[]): readonly ClassifiedCommand[] {
  const installed = new Set<string>();
  return commands.map((command) => {
    const purpose = purposeOf(command);
    if (purpose.kind === 'setup') for (const word of command.words.slice(1)) installed.add(word);
    const [program = ''] = command.words;
    // A lone name is a program if the text has just installed it.
    if (purpose.kind !== 'other' || command.words.length > 1 || !installed.has(program)) return { purpose };
    return { purpose: { kind: 'server', entry: { command: program, args: [] }, isPlain: true } };
  });
}

function isSureServer({ purpose }: ClassifiedCommand): boolean {
  return purpose.kind === 'server' && purpose.isPlain;
}

function isSure(purpose: Purpose): boolean {
  return purpose.kind === 'installer' || (purpose.kind === 'server' && purpose.isPlain);
}

function readPurpose(purpose: Purpose): TypedReading {
  switch (purpose.kind) {
    case 'server':
      return oneServer('', purpose.entry);
    case 'installer': {
      const { installer, adds } = purpose;
      if (adds === undefined) {
        return noServer(
          `"${installer}" sets something up and exits; it is not an MCP server. Paste the config that it writes, or the command of the server itself.`,
        );
      }
      const { name = '', ...entry } = adds;
      const message = `"${installer}" is not the server itself; this is the server it refers to.`;
      return oneServer(name, entry, { severity: 'warning', path: '', message });
    }
    case 'setup':
      return noServer(
        'This command only prepares something and exits; it is not an MCP server. Paste the command that starts the server, or its config.',
      );
    case 'other':
      return nothing;
  }
}
