import { type Problem, problem } from '../../../shared/error/problem.ts';
import { type LinkedEntry, linkedEntry } from './linked-entry.ts';

/** Links of this scheme are opened by the app. */
export const linkScheme = 'patchbay';

/** Characters; what is longer is no description of a server. */
export const longestLink = 16_384;

export type AddLink =
  /** A config of one server, as a person would paste it. */
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Problem };

/**
 * Reads `patchbay://add?name=…&config=…` or `…&url=…`. Anybody may have written the link, so only what describes how one
 * server is reached is taken from it, and whatever is not understood to the letter is refused. Never throws.
 */
export function readAddLink(link: string): AddLink {
  if (link.length > longestLink) return refused(`It is longer than ${longestLink} characters.`);
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url === undefined || url.protocol !== `${linkScheme}:`) return refused('This is not a Patchbay link.');
  if (`${url.host}${url.pathname}`.replace(/\/$/, '') !== 'add' || url.hash !== '' || url.username !== '')
    return refused('This version does not support what the link asks for.');
  const fields = fieldsOf(url.searchParams);
  if (fields === undefined) return refused('The link has duplicate or unknown parts.');
  const { name = '', config, url: address } = fields;
  if (hidden.test(name) || name.length > longestName) return refused('The name in the link cannot be used.');
  if ((config === undefined) === (address === undefined))
    return refused('The link must contain either a server’s config or its URL.');
  const entry = config === undefined ? linkedEntry({ url: address }) : entryIn(config);
  return entry.ok ? { ok: true, text: textOf(name, entry) } : refused(entry.reason);
}

/** The argument that is a link to us; undefined when there is none. */
export function linkIn(args: readonly string[]): string | undefined {
  const link = args.find((arg) => arg.slice(0, linkScheme.length + 1).toLowerCase() === `${linkScheme}:`);
  // One character more than is allowed is enough to be refused for it.
  return link?.slice(0, longestLink + 1);
}

/** As our own config writes it, so that it is read like any pasted text. */
function textOf(name: string, { entry }: Extract<LinkedEntry, { ok: true }>): string {
  return JSON.stringify(name === '' ? entry : { mcpServers: { [name]: entry } });
}

function fieldsOf(query: URLSearchParams): Readonly<Record<string, string>> | undefined {
  const names = [...query.keys()];
  const isPlain = new Set(names).size === names.length && names.every((name) => known.has(name));
  return isPlain ? Object.fromEntries(query) : undefined;
}

function entryIn(config: string): LinkedEntry {
  const value = jsonIn(config) ?? jsonIn(decoded(config));
  return value === undefined
    ? { ok: false, reason: 'The config in the link is neither JSON nor Base64-encoded JSON.' }
    : linkedEntry(value);
}

/** Either alphabet. A plus sign that was not escaped has become a blank. */
function decoded(text: string): string {
  const plain = text.replaceAll(' ', '+');
  return /^[\w+/=-]+$/.test(plain) ? Buffer.from(plain, 'base64').toString('utf8') : '';
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The link itself may hold a secret and is not repeated. */
function refused(reason: string): AddLink {
  const sentence = `A link to add a server was rejected. ${reason}`;
  const fix = 'Nothing was added. Look for the server’s config where you found the link, and paste it here.';
  return { ok: false, problem: problem('app.refused_link', sentence, fix) };
}

const known: ReadonlySet<string> = new Set(['name', 'config', 'url']);
const longestName = 64;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
