import { type Problem, problem } from '../../../shared/error/problem.ts';
import { parseJson } from '../../../shared/json.ts';
import { type LinkedEntry, linkedEntry } from './linked-entry.ts';

/** Scheme of links that the app opens. */
export const linkScheme = 'patchbay';

/** Maximum length in characters; a description of a server is shorter. */
export const maxLinkLength = 16_384;

export type AddLink =
  /** The config of one server, as a user would paste it. */
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Problem };

/**
 * Reads `patchbay://add?name=…&config=…` or `…&url=…`. Anyone may have written the link, so only the
 * description of how to reach one server is used, and anything not fully understood is rejected. Never
 * throws.
 */
export function readAddLink(link: string): AddLink {
  if (link.length > maxLinkLength) return refused(`It is longer than ${maxLinkLength} characters.`);
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url === undefined || url.protocol !== `${linkScheme}:`) return refused('This is not a Patchbay link.');
  if (`${url.host}${url.pathname}`.replace(/\/$/, '') !== 'add' || url.hash !== '' || url.username !== '')
    return refused('This version does not support what the link asks for.');
  const fields = fieldsOf(url.searchParams);
  if (fields === undefined) return refused('The link has duplicate or unknown parts.');
  const { name = '', config, url: address } = fields;
  if (hidden.test(name) || name.length > maxNameLength)
    return refused('The name in the link cannot be used.');
  if ((config === undefined) === (address === undefined))
    return refused('The link must contain either a server’s config or its URL.');
  const entry = config === undefined ? linkedEntry({ url: address }) : entryIn(config);
  return entry.ok ? { ok: true, text: textOf(name, entry) } : refused(entry.reason);
}

/** Returns the argument that is a link for us; undefined if there is none. */
export function linkIn(args: readonly string[]): string | undefined {
  const link = args.find((arg) => arg.slice(0, linkScheme.length + 1).toLowerCase() === `${linkScheme}:`);
  // One character beyond the limit is enough for the link to be rejected.
  return link?.slice(0, maxLinkLength + 1);
}

/** Returns the link's server in our own config format, so that it is read like any pasted text. */
function textOf(name: string, { entry }: Extract<LinkedEntry, { ok: true }>): string {
  return JSON.stringify(name === '' ? entry : { mcpServers: { [name]: entry } });
}

function fieldsOf(query: URLSearchParams): Readonly<Record<string, string>> | undefined {
  const names = [...query.keys()];
  const isPlain = new Set(names).size === names.length && names.every((name) => allowedFields.has(name));
  return isPlain ? Object.fromEntries(query) : undefined;
}

function entryIn(config: string): LinkedEntry {
  const value = parseJson(config) ?? parseJson(decoded(config));
  return value === undefined
    ? { ok: false, reason: 'The config in the link is neither JSON nor Base64-encoded JSON.' }
    : linkedEntry(value);
}

/** Decodes either Base64 alphabet. An unescaped plus sign has become a space. */
function decoded(text: string): string {
  const plain = text.replaceAll(' ', '+');
  return /^[\w+/=-]+$/.test(plain) ? Buffer.from(plain, 'base64').toString('utf8') : '';
}

/** The link may contain a secret, so the problem does not repeat it. */
function refused(reason: string): AddLink {
  const sentence = `A link to add a server was rejected. ${reason}`;
  const fix = 'Nothing was added. Look for the server’s config where you found the link, and paste it here.';
  return { ok: false, problem: problem('app.refused_link', sentence, fix) };
}

const allowedFields: ReadonlySet<string> = new Set(['name', 'config', 'url']);
const maxNameLength = 64;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
