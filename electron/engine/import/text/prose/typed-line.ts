import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import type { Entry } from '../entry/dialects.ts';
import type { AddedServer } from '../shell/add-command.ts';
import { isPackageName } from '../shell/runners.ts';
import { addressKind, bundleOf } from './addresses.ts';
import { readLink } from './links.ts';

/** A server read from typed text, with remarks on it. */
export interface TypedServer extends AddedServer {
  readonly notes: readonly EntryIssue[];
}

/** Servers read from a piece of typed text. */
export interface TypedReading {
  readonly servers: readonly TypedServer[];
  /** Reasons why there is no server, or why parts of the text are not one. */
  readonly issues: readonly EntryIssue[];
}

export function mergeReadings(parts: readonly TypedReading[]): TypedReading {
  const seen = new Set<string>();
  return {
    servers: parts.flatMap((part) => part.servers),
    issues: parts
      .flatMap((part) => part.issues)
      .filter(({ message }) => !seen.has(message) && seen.add(message) !== undefined),
  };
}

export const nothing: TypedReading = { servers: [], issues: [] };

/** Reads a line that consists of an address, a package, an image or a repository; undefined for any other. */
export function readLine(written: string): TypedReading | undefined {
  const line = written
    .replace(/^[-*•]\s+/, '')
    .replace(/^<(https?:[^<>\s]+)>$/, '$1')
    .replace(/^(["'])([^"']*)\1$/, '$2');
  if (/\s/.test(line)) {
    const address = addressWithSpaces(line);
    if (address !== undefined) return address;
    const [first = '', ...rest] = line.split(/\s+/);
    const isRun = first.startsWith('@') && isPackageName(first) && rest[0]?.startsWith('-') === true;
    return isRun ? oneServer('', { command: 'npx', args: ['-y', first, ...rest] }) : undefined;
  }
  if (line === '') return undefined;
  if (/^https?:\/\//i.test(line)) return readAddress(line);
  const [, registry, name] = /^(npm|npx|pypi|pip|uvx|docker|oci):(?:\/\/)?(.+)$/.exec(line) ?? [];
  const word = name ?? line;
  if (registry === 'pypi' || registry === 'pip' || registry === 'uvx' || /^[\w.[\]-]+==[\w.]+$/.test(word)) {
    return oneServer('', { command: 'uvx', args: [word] });
  }
  if (
    registry === 'docker' ||
    registry === 'oci' ||
    /^(?:ghcr\.io|docker\.io|quay\.io|mcr\.microsoft\.com|[\w-]+\.azurecr\.io|gcr\.io)\/[\w./:@-]+$/.test(
      word,
    )
  ) {
    return oneServer('', { command: 'docker', args: ['run', '-i', '--rm', word] });
  }
  const isMail = /^[^@/]+@(?:[\w-]+\.)+[a-z]{2,}$/i.test(word);
  const isPackage =
    isPackageName(word) &&
    !isMail &&
    (registry === 'npm' || registry === 'npx' || /^@|mcp|(?<=.)@/.test(word)) &&
    !/\.(?:json|py|js|ts|md|ya?ml|toml)$/.test(word);
  if (isPackage) return oneServer('', { command: 'npx', args: ['-y', word] });
  if (/^(?:io|com|org|net|dev|ai|app|co|me)\.[\w.-]+\/[\w.-]+$/.test(word)) {
    return noServer(`"${word}" is a name in the MCP registry. Paste the command or the config shown there.`);
  }
  if (/^[\w-]+\/[\w.-]+$/.test(word)) {
    return noServer(
      `"${word}" looks like the name of a repository. Paste the command or the config from its instructions.`,
    );
  }
  if (/^(?:git@|ssh:\/\/|git\+?:)/.test(word)) {
    return noServer(
      `"${word}" is the address of a repository. Paste the command or the config from its instructions.`,
    );
  }
  if (/^wss?:\/\//i.test(word)) {
    return noServer('MCP servers use http or https; this is a WebSocket address.');
  }
  if (/^(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/\S*)?$/.test(word)) return readAddress(`http://${word}`);
  const host =
    /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/\S*)?$/i.test(word) && /\/|^mcp\./.test(word)
      ? `https://${word}`
      : undefined;
  return host === undefined ? undefined : readAddress(host);
}

/** Reads `https://host / mcp`; undefined for any other line. */
function addressWithSpaces(line: string): TypedReading | undefined {
  if (line.length > 500 || !/^https?:\/\/(?:\s|[^/\s]{1,300}\/?\s)/i.test(line)) return undefined;
  const joined = line.replace(/\s{0,5}\/\s{0,5}/g, '/');
  if (!/^https?:\/\/[^\s:/]{1,300}(?::\d{1,5})?\/[^\s:]{1,300}$/i.test(joined)) return undefined;
  const { servers, issues } = readAddress(joined);
  const message = `the spaces in this address were removed: ${short(joined)}`;
  const note: EntryIssue = { severity: 'warning', path: 'url', message };
  return { servers: servers.map((server) => ({ ...server, notes: [note, ...server.notes] })), issues };
}

export function readAddress(address: string): TypedReading {
  const bundle = bundleOf(address);
  if (bundle !== undefined)
    return noServer(`${short(bundle)} is an MCP bundle, not a server. Download it, and import the file.`);
  if (!/^https?:/i.test(address)) {
    return readLink(address) === undefined
      ? nothing
      : noServer(
          `The link ${short(address)} does not contain a readable server. Paste the config of the server.`,
        );
  }
  if (readLink(address) !== undefined)
    return noServer(
      `The link ${short(address)} does not contain a readable server. Paste the config of the server.`,
    );
  const kind = addressKind(address);
  if (kind.kind === 'page') {
    return noServer(
      `${short(address)} is ${kind.what}, not an MCP server. Paste the command, the config or the server address from that page.`,
    );
  }
  if (kind.isSure) return oneServer('', { url: address });
  const message = 'this may be a web page rather than an MCP server; a server usually ends in /mcp or /sse';
  return oneServer('', { url: address }, { severity: 'warning', path: 'url', message });
}

/** Removes the parts of an address that may be secret. */
function short(address: string): string {
  return address.replace(/[?#].*$/s, '').slice(0, 120);
}

export function oneServer(name: string, entry: Entry, ...notes: readonly EntryIssue[]): TypedReading {
  return { servers: [{ name, entry, notes }], issues: [] };
}

export function noServer(message: string): TypedReading {
  return { servers: [], issues: [{ severity: 'error', path: '', message }] };
}
