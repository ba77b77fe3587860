import type { EntryIssue } from '../../../../shared/model/import.ts';
import { addressKind } from './addresses.ts';
import { type AddedServer, serversAddedBy } from './client-commands.ts';
import type { Entry } from './dialects.ts';
import { labelledServer } from './labels.ts';
import { fields, given, isPackageName, type Purpose, purposeOf } from './launchers.ts';
import { addressesIn, readLink } from './links.ts';
import { listedServers } from './listed.ts';
import { isMention } from './paths.ts';
import { type ShellCommand, shellCommands } from './shell.ts';
import { spansOf, spokenCommands, withSpokenAdditions } from './spoken.ts';

/** Servers that commands of clients add, wherever in a text they stand. */
export function addedServers(text: string, codes: readonly string[]): readonly AddedServer[] {
  const found = [text, ...codes].flatMap((one) =>
    mayAdd.test(one)
      ? shellCommands(withSpokenAdditions(one, mayAdd)).flatMap((command) => serversAddedBy(command) ?? [])
      : [],
  );
  const seen = new Set<string>();
  return found.filter((server) => {
    const text = JSON.stringify(server);
    return !seen.has(text) && seen.add(text) !== undefined;
  });
}

const mayAdd =
  /\b(?:mcp|mcporter\s+config)\s+(?:add|set|install)|--add-mcp|--mcp-config|--with-[a-z-]{0,40}extension|\bfastmcp\s+install/;

export interface TypedServer extends AddedServer {
  readonly notes: readonly EntryIssue[];
}

interface Typed {
  readonly servers: readonly TypedServer[];
  /** Why there is none, or what of the text is none. */
  readonly issues: readonly EntryIssue[];
}

/**
 * Servers out of what is typed or said in a line: a command line, the name of a package, an address. Lines of prose
 * count for nothing; what installs something, and what is a page for people, is told.
 */
export function typedServers(text: string, codes: readonly string[]): Typed {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|```|~~~|\/\/)/.test(line));
  const alone = lines.length > 0 && lines.length <= 100 ? lines.map(readLine) : [];
  if (alone.length > 0 && alone.every((one) => one !== undefined)) return joined(alone);
  const listed = listedServers(text);
  if (listed.length > 0) return joined(listed.map(({ name, entry }) => one(name, entry)));
  const labelled = labelledServer(text);
  if (labelled !== undefined) return one(labelled.name, labelled.entry);
  const known = otherFiles.find(({ marks }) => marks.test(text));
  if (known !== undefined) return said(known.says);
  const commands = shellCommands(text);
  const whole = judged(commands);
  const isAll = whole.length > 0 && whole.every(({ purpose }) => purpose.kind !== 'other');
  const spans = new Set([text, ...spansOf(text)]);
  const shown = isAll
    ? whole
    : [
        ...judged(startedIn(codes, spans)),
        ...judged(startedIn([text], spans)).filter(({ purpose }) => isSure(purpose)),
      ];
  const typed = joined(shown.map(({ purpose }) => readPurpose(purpose)));
  if (typed.servers.length > 0) return typed;
  const spoken = codes.map((code) => readLine(code.trim())).filter((one) => one !== undefined);
  const named = joined(spoken.filter(({ servers }) => servers.length > 0));
  if (named.servers.length > 0) return named;
  const told = joined(shellCommands(spokenCommands(text)).map((command) => readSure(command)));
  if (told.servers.length > 0) return told;
  const requested = joined(
    [...codes.flatMap(shellCommands), ...commands].flatMap(requestedAddress).slice(0, 1),
  );
  if (requested.servers.length > 0) return requested;
  if (typed.issues.length > 0 || json.test(text)) return typed;
  return withSpokenHeader(joined(addressesIn(text).map(readAddress)), text);
}

/** Addresses in JSON are values of something else. A link, or the time of a message, is none. */
const json = /^\s*(?:\{|\[(?![^[\]\n"]{0,200}\](?:[(:]|[ \t]+[^\s,\]}])))/;

/** The commands in pieces of a text, without paths that it only speaks of. Those between backticks are part of a sentence. */
function startedIn(pieces: readonly string[], spans: ReadonlySet<string>): readonly ShellCommand[] {
  return pieces.flatMap((piece) =>
    shellCommands(piece).filter((command) => !isMention(command, !spans.has(piece))),
  );
}

function readSure(command: ShellCommand): Typed {
  const purpose = purposeOf(command);
  return isSure(purpose) ? readPurpose(purpose) : none;
}

/** A request that instructions have people try out says where the server is, and what it wants to be sent. */
function requestedAddress({ words }: ShellCommand): readonly Typed[] {
  const address = words.find((word) => /^https?:\/\//i.test(word));
  const isCall = /\/(?:mcp|sse)\b/i.test(address ?? '') || words.some((word) => word.includes('jsonrpc'));
  if (words[0] !== 'curl' || address === undefined || !isCall) return [];
  const kind = addressKind(address);
  if (kind.kind === 'page') return [];
  const headers = fields(
    words.filter((_, at) => /^(?:-H|--header)$/.test(words[at - 1] ?? '')),
    /:\s*/,
  );
  const own = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:accept|content-type|mcp-)/i.test(name)),
  );
  return [one('', { url: address, ...given('headers', own) })];
}

/** `Authorization: Bearer …` beside the only address of a text is for that server. */
function withSpokenHeader(typed: Typed, text: string): Typed {
  const [only, ...others] = typed.servers;
  const [, name, value] =
    /(?:^|[\s"'`(*])(authorization|(?:x-)?api-key|x-[a-z-]{1,40}-(?:key|token))["'`*]{0,3}[ \t]{0,5}:[ \t]{0,5}["'`*]{0,3}((?:(?:bearer|basic|token)[ \t]+)?[^\s"'`,)]{3,500})/i.exec(
      text,
    ) ?? [];
  if (only === undefined || others.length > 0 || name === undefined || value === undefined) return typed;
  // What ends with brackets of code, or is the word before a token, is none.
  const isCode = value.split(/[({]/).length < value.split(/[)}]/).length;
  if (isCode || /^(?:bearer|basic|token)$/i.test(value)) return typed;
  return { ...typed, servers: [{ ...only, entry: { ...only.entry, headers: { [name]: value } } }] };
}

/** Files that lie beside a server and start none. */
const otherFiles: readonly { readonly marks: RegExp; readonly says: string }[] = [
  {
    marks: /^services:[ \t]*$[\s\S]{0,5000}^[ \t]+(?:image|build):/m,
    says: 'This is a Docker Compose file. Paste the docker run command of the server, or the address at which it answers.',
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

interface Judged {
  readonly purpose: Purpose;
}

function judged(commands: readonly ShellCommand[]): readonly Judged[] {
  const installed = new Set<string>();
  return commands.map((command) => {
    const purpose = purposeOf(command);
    if (purpose.kind === 'setup') for (const word of command.words) installed.add(word);
    const [program = ''] = command.words;
    // A name alone is a program where the text has just installed it.
    if (purpose.kind !== 'other' || command.words.length > 1 || !installed.has(program)) return { purpose };
    return { purpose: { kind: 'server', entry: { command: program, args: [] }, isPlain: true } };
  });
}

function isSure(purpose: Purpose): boolean {
  return purpose.kind === 'installer' || (purpose.kind === 'server' && purpose.isPlain);
}

function joined(parts: readonly Typed[]): Typed {
  const seen = new Set<string>();
  return {
    servers: parts.flatMap((part) => part.servers),
    issues: parts
      .flatMap((part) => part.issues)
      .filter(({ message }) => !seen.has(message) && seen.add(message) !== undefined),
  };
}

const none: Typed = { servers: [], issues: [] };

function readPurpose(purpose: Purpose): Typed {
  switch (purpose.kind) {
    case 'server':
      return one('', purpose.entry);
    case 'installer': {
      const { installer, adds } = purpose;
      if (adds === undefined) {
        return said(
          `"${installer}" sets something up and ends; it is not an MCP server. Paste the config that it writes, or the command of the server itself.`,
        );
      }
      const { name = '', ...entry } = adds;
      const message = `"${installer}" is not the server itself; this is the server that it names.`;
      return one(name, entry, { severity: 'warning', path: '', message });
    }
    case 'setup':
      return said(
        'This command prepares something and ends; it is not an MCP server. Paste the command that starts the server, or its config.',
      );
    case 'other':
      return none;
  }
}

/** One line that is nothing but an address, a package, an image or a repository; undefined for any other. */
function readLine(written: string): Typed | undefined {
  const line = written
    .replace(/^[-*•]\s+/, '')
    .replace(/^<(https?:[^<>\s]+)>$/, '$1')
    .replace(/^(["'])([^"']*)\1$/, '$2');
  if (/\s/.test(line)) {
    const [first = '', ...rest] = line.split(/\s+/);
    const isRun = first.startsWith('@') && isPackageName(first) && rest[0]?.startsWith('-') === true;
    return isRun ? one('', { command: 'npx', args: ['-y', first, ...rest] }) : undefined;
  }
  if (line === '') return undefined;
  if (/^https?:\/\//i.test(line)) return readAddress(line);
  const [, registry, name] = /^(npm|npx|pypi|pip|uvx|docker|oci):(?:\/\/)?(.+)$/.exec(line) ?? [];
  const word = name ?? line;
  if (registry === 'pypi' || registry === 'pip' || registry === 'uvx' || /^[\w.[\]-]+==[\w.]+$/.test(word)) {
    return one('', { command: 'uvx', args: [word] });
  }
  if (
    registry === 'docker' ||
    registry === 'oci' ||
    /^(?:ghcr\.io|docker\.io|quay\.io|mcr\.microsoft\.com|[\w-]+\.azurecr\.io|gcr\.io)\/[\w./:@-]+$/.test(
      word,
    )
  ) {
    return one('', { command: 'docker', args: ['run', '-i', '--rm', word] });
  }
  const isMail = /^[^@/]+@(?:[\w-]+\.)+[a-z]{2,}$/i.test(word);
  const isPackage =
    isPackageName(word) &&
    !isMail &&
    (registry === 'npm' || registry === 'npx' || /^@|mcp|(?<=.)@/.test(word)) &&
    !/\.(?:json|py|js|ts|md|ya?ml|toml)$/.test(word);
  if (isPackage) return one('', { command: 'npx', args: ['-y', word] });
  if (/^(?:io|com|org|net|dev|ai|app|co|me)\.[\w.-]+\/[\w.-]+$/.test(word)) {
    return said(
      `"${word}" is a name of the registry of servers. Paste the command or the config that it gives.`,
    );
  }
  if (/^[\w-]+\/[\w.-]+$/.test(word)) {
    return said(
      `"${word}" looks like the name of a repository. Paste the command or the config that its instructions give.`,
    );
  }
  if (/^(?:git@|ssh:\/\/|git\+?:)/.test(word)) {
    return said(
      `"${word}" is the address of a repository. Paste the command or the config that its instructions give.`,
    );
  }
  if (/^wss?:\/\//i.test(word)) {
    return said('MCP servers are reached by http or https; this is the address of a WebSocket.');
  }
  if (/^(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/\S*)?$/.test(word)) return readAddress(`http://${word}`);
  const host =
    /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/\S*)?$/i.test(word) && /\/|^mcp\./.test(word)
      ? `https://${word}`
      : undefined;
  return host === undefined ? undefined : readAddress(host);
}

function readAddress(address: string): Typed {
  if (!/^https?:/i.test(address)) {
    return readLink(address) === undefined
      ? none
      : said(
          `The link ${short(address)} names no server that can be read from it. Paste the config of the server.`,
        );
  }
  if (readLink(address) !== undefined)
    return said(
      `The link ${short(address)} holds no server that can be read. Paste the config of the server.`,
    );
  const kind = addressKind(address);
  if (kind.kind === 'page') {
    return said(
      `${short(address)} is ${kind.what}, not an MCP server. Paste the command, the config or the server's own address that it gives.`,
    );
  }
  if (kind.isSure) return one('', { url: address });
  const message = 'this may be a web page rather than an MCP server; a server usually ends in /mcp or /sse';
  return one('', { url: address }, { severity: 'warning', path: 'url', message });
}

/** Without what may be a secret in it. */
function short(address: string): string {
  return address.replace(/[?#].*$/s, '').slice(0, 120);
}

function one(name: string, entry: Entry, ...notes: readonly EntryIssue[]): Typed {
  return { servers: [{ name, entry, notes }], issues: [] };
}

function said(message: string): Typed {
  return { servers: [], issues: [{ severity: 'error', path: '', message }] };
}
