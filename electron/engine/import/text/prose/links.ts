import { isRecord } from '../../../../../shared/json.ts';
import { decodeEntities } from '../clean.ts';
import type { Entry } from '../entry/dialects.ts';
import { parsePastedJson } from '../language/pasted-json.ts';
import { strictJson } from '../language/strict-json.ts';
import { fieldOf } from '../shell/fields.ts';
import { bundleOf } from './addresses.ts';

/** A config in a link, as JSON of any shape, with its name. */
export interface LinkedConfig {
  readonly name: string;
  readonly config: unknown;
}

/** A kind of install link: its target, and how it carries the config. */
interface LinkKind {
  readonly scheme: RegExp;
  /** Host and path, without the slashes that some schemes put before them. */
  readonly hostAndPath: RegExp;
  readonly read: (query: URLSearchParams, link: string) => readonly LinkedConfig[];
}

/** A new program is a new row; the last row reads any scheme that carries a config in one of the usual ways. */
const linkKinds: readonly LinkKind[] = [
  // Pages of Cursor, LM Studio, Kiro, VS Code, Visual Studio, ChatWise, Replit, Claude and goose, and our own scheme.
  {
    scheme: /^https?$/,
    hostAndPath: /^(?:www\.)?cursor\.(?:com|sh)\/(?:\w{2}(?:-\w{2})?\/)?(?:install-mcp|link\/mcp\/install)/,
    read: withConfig,
  },
  { scheme: /^https?$/, hostAndPath: /^lmstudio\.ai\/(?:install-mcp|mcp\/install)/, read: withConfig },
  { scheme: /^https?$/, hostAndPath: /^kiro\.dev\/launch\/mcp\/add/, read: withConfig },
  { scheme: /^https?$/, hostAndPath: /^(?:insiders\.)?vscode\.dev\/redirect/, read: redirectTarget },
  {
    scheme: /^https?$/,
    hostAndPath: /^vs-open\.link\//,
    read: (query, link) => [...queryAsConfig(query, link), ...withConfig(query)],
  },
  { scheme: /^https?$/, hostAndPath: /^(?:www\.)?chatwise\.app\/mcp-add/, read: withConfig },
  { scheme: /^https?$/, hostAndPath: /^replit\.com\/integrations/, read: withConfig },
  { scheme: /^https?$/, hostAndPath: /^claude\.ai\/(?:new|customize\/|settings\/)/, read: withConfig },
  { scheme: /^goose$/, hostAndPath: /^extension/, read: gooseLink },
  {
    scheme: /^https?$/,
    hostAndPath: /^(?:block\.github\.io\/goose|(?:www\.)?goose-docs\.ai)\/extension/,
    read: gooseLink,
  },
  { scheme: /^patchbay$/, hostAndPath: /^add/, read: withConfig },
  {
    scheme: /^(?!https?$|mailto$|data$|javascript$|file$|ftp$).+$/,
    hostAndPath: /./,
    read: (query, link) => [...queryAsConfig(query, link), ...withConfig(query)],
  },
];

export interface FoundLink {
  readonly text: string;
  /** Configs in the link; undefined for a link that installs nothing. */
  readonly configs: readonly LinkedConfig[] | undefined;
}

/** Returns the links of a text, including those in Markdown and HTML badges. */
export function linksIn(text: string): readonly FoundLink[] {
  return addressesIn(text).map((link) => ({ text: link, configs: readLink(link) }));
}

/** Reads the configs in an install link; undefined for any other link. */
export function readLink(link: string, depth = 0): readonly LinkedConfig[] | undefined {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]{1,40}):(?:\/\/)?(.*)$/is.exec(link) ?? [];
  if (scheme === '' || depth > 2) return undefined;
  const at = rest.search(/[?#]/);
  const place = at === -1 ? rest : rest.slice(0, at);
  const query = at === -1 ? '' : rest.slice(at + 1);
  const kind = linkKinds.find(
    (one) => one.scheme.test(scheme.toLowerCase()) && one.hostAndPath.test(place.toLowerCase()),
  );
  if (kind === undefined) return wrappedLink(query, depth);
  const configs = kind.read(parametersOf(query.replace(/#.*$/s, '')), query);
  const isInstall = /mcp|install|extension|add/i.test(place) || kind.scheme.source !== lastScheme;
  return configs.length > 0 || isInstall ? configs : undefined;
}

/** Returns the parameters of a query, whose names some programs capitalize. */
function parametersOf(query: string): URLSearchParams {
  const found = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query))
    found.append(
      name.replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
      value,
    );
  return found;
}

/** Chats and search engines wrap a link in an address of their own. */
function wrappedLink(query: string, depth: number): readonly LinkedConfig[] | undefined {
  const inner = [...new URLSearchParams(query).values()].find((value) =>
    /^[a-z][a-z0-9+.-]{1,40}:/i.test(value),
  );
  return inner === undefined ? undefined : readLink(inner, depth + 1);
}

const lastScheme = linkKinds.at(-1)?.scheme.source;

/** Parameters that carry a config. */
const configParameters = [
  'config',
  'servers',
  'server',
  'json',
  'code',
  'mcp',
  'mcpServers',
  'data',
  'payload',
  'schema',
  'mcpConfig',
  'configuration',
];

function withConfig(query: URLSearchParams): readonly LinkedConfig[] {
  const name = first(query, 'name', 'serverName', 'connectorName', 'id') ?? '';
  const inputs = decoded(query.get('inputs') ?? '');
  for (const carrier of configParameters) {
    const config = decoded(query.get(carrier) ?? '');
    if (config !== undefined) return [{ name, config: withInputs(config, inputs) }];
  }
  const address = first(query, 'url', 'connectorUrl', 'serverUrl');
  if (address !== undefined && /^https?:\/\//i.test(address) && bundleOf(address) === undefined) {
    const headers = decoded(query.get('headers') ?? '');
    return [{ name, config: { url: address, ...type(query), ...(isRecord(headers) ? { headers } : {}) } }];
  }
  const command = query.get('command') ?? query.get('cmd');
  if (command === null) return [];
  const list = decoded(query.get('args') ?? '');
  const args = Array.isArray(list) ? list : query.getAll('args').concat(query.getAll('arg'));
  const env = decoded(query.get('env') ?? '');
  return [{ name, config: { command, args, ...(isRecord(env) ? { env } : {}) } }];
}

function first(query: URLSearchParams, ...names: readonly string[]): string | undefined {
  return names.map((name) => query.get(name)).find((value) => value !== null) ?? undefined;
}

function type(query: URLSearchParams): Entry {
  const written = query.get('type') ?? query.get('transport');
  return written === null ? {} : { type: written };
}

/** VS Code describes the inputs beside the config. */
function withInputs(config: unknown, inputs: unknown): unknown {
  return isRecord(config) && Array.isArray(inputs) && config.inputs === undefined
    ? { ...config, inputs }
    : config;
}

/** Reads a query that is the config itself: `vscode:mcp/install?{…}`. */
function queryAsConfig(_: URLSearchParams, query: string): readonly LinkedConfig[] {
  const config = decoded(query.replace(/^(?:config|json)=/, ''));
  return isRecord(config) ? [{ name: '', config }] : [];
}

/** VS Code's redirects carry another link, or the same parameters. */
function redirectTarget(query: URLSearchParams, whole: string): readonly LinkedConfig[] {
  const inner = query.get('url') ?? '';
  if (/^vscode/i.test(inner)) return readLink(inner, 1) ?? [];
  // A link that was not URL-encoded keeps its own parameters.
  const at = whole.search(/url=vscode/i);
  if (at !== -1) return readLink(unescaped(whole.slice(at + 4)), 1) ?? [];
  const configs = withConfig(query);
  return configs.length > 0 ? configs : queryAsConfig(query, whole);
}

/** Reads `cmd`, any number of `arg`, `env=NAME=description`, or `url` and `header`. */
function gooseLink(query: URLSearchParams): readonly LinkedConfig[] {
  const name = query.get('id') ?? query.get('name') ?? '';
  const pairs = (parameter: string) =>
    Object.fromEntries(
      query.getAll(parameter).map((text) => {
        const [field = '', description = ''] = text.split(/=(.*)/s);
        return [field, `<${description === '' ? field : description.replace(/[<>\n]/g, ' ')}>`];
      }),
    );
  const env = pairs('env');
  const headers = Object.fromEntries(query.getAll('header').flatMap((text) => fieldOf(text, /=/)));
  const url = query.get('url');
  const timeout = query.get('timeout');
  const limits = timeout === null ? {} : { tool_timeout_sec: timeout };
  if (url !== null) {
    return [
      {
        name,
        config: { ...type(query), url, ...(Object.keys(headers).length === 0 ? {} : { headers }), ...limits },
      },
    ];
  }
  const command = query.get('cmd');
  if (command === null) return [];
  return [
    {
      name,
      config: {
        command,
        args: query.getAll('arg'),
        ...(Object.keys(env).length === 0 ? {} : { env }),
        ...limits,
      },
    },
  ];
}

/**
 * Decodes JSON in any form that links use: plain, escaped once or twice, in Base64 of either alphabet, with
 * or without padding.
 */
export function decoded(text: string, depth = 0): unknown {
  const trimmed = text.trim();
  if (trimmed === '' || depth > 3) return undefined;
  if (/^[[{]/.test(trimmed)) {
    const value = parsePastedJson(trimmed) ?? parsePastedJson(strictJson(trimmed) ?? '');
    if (typeof value === 'object' && value !== null) return value;
  }
  if (/%[0-9a-f]{2}/i.test(trimmed)) {
    const next = unescaped(trimmed);
    if (next !== trimmed) return decoded(next, depth + 1);
  }
  // An unescaped plus sign has become a space; `base64` breaks its lines.
  const base64 = trimmed.replace(/[\r\n]+/g, '').replaceAll(' ', '+');
  if (!/^[\w+/=-]{4,}$/.test(base64)) return undefined;
  const inner = textOf(Buffer.from(base64, 'base64')).trim();
  return /^(?:[[{"]|%7B)/i.test(inner) ? decoded(inner, depth + 1) : undefined;
}

/** Decodes UTF-8, or UTF-16 as PowerShell and .NET write it. */
function textOf(bytes: Buffer): string {
  return bytes.toString(bytes[1] === 0 ? 'utf16le' : 'utf8');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  }
}

/** Returns addresses with any scheme, each up to its end in Markdown, HTML or prose. */
export function addressesIn(text: string): readonly string[] {
  const found: string[] = [];
  const start =
    /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,40}:(?=\/\/|\/install\?|[a-z]{1,40}\/[a-z-]{1,40}\?|mcp\/)/gi;
  for (let match = start.exec(text); match !== null && found.length < maxLinks; match = start.exec(text)) {
    const end = endOf(text, match.index);
    found.push(decodeEntities(text.slice(match.index, end)));
    start.lastIndex = Math.max(end, match.index + 1);
  }
  return found;
}

/** Maximum number of links per text. */
const maxLinks = 1000;
const maxLinkLength = 100_000;
const maxJsonLength = 20_000;
const maxLabelLength = 100;

function endOf(text: string, from: number): number {
  const json = /[?&=]\{/g;
  json.lastIndex = from;
  const body = /[^\s<>"'`]*/y;
  body.lastIndex = from;
  const plain = from + (body.exec(text)?.[0].length ?? 0);
  const open = json.exec(text.slice(0, Math.min(text.length, plain + 2)))?.index;
  const close = open === undefined ? undefined : closingBrace(text, open + 1);
  if (close !== undefined) return close + 1;
  let end = Math.min(plain, from + maxLinkLength);
  // A Markdown bracket ends the link, unless the link opened one itself.
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && depth === 0) end = at;
    if (text[at] === ')') depth -= 1;
    if (text[at] === '|' || (text[at] === ']' && !text.slice(from, at).includes('['))) end = at;
  }
  // AsciiDoc puts the label behind the link.
  const label = /(?<!\/)\[[a-z][^\][]{0,80}\]?$/i.exec(text.slice(Math.max(from, end - maxLabelLength), end));
  if (label !== null) end -= label[0].length;
  while (end > from && /[.,;:!?*_]/.test(text[end - 1] ?? '')) end -= 1;
  return end;
}

/** Finds the closing brace of an unescaped JSON text. */
function closingBrace(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + maxJsonLength); at += 1) {
    const sign = text[at];
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
