import { decodeEntities } from './clean.ts';

/** Addresses with which mail programs, chats and search engines wrap others. */
interface Wrapper {
  /** Matches host and path. */
  readonly hostAndPath: RegExp;
  readonly read: (query: URLSearchParams, address: string) => string | undefined;
}

const parameter =
  (...names: readonly string[]) =>
  (query: URLSearchParams) =>
    names.map((name) => query.get(name)).find((value) => value !== null) ?? undefined;

/** A new program is a new row. */
const wrappers: readonly Wrapper[] = [
  {
    hostAndPath: /^(?:[\w-]+\.)?safelinks\.protection\.(?:outlook|office365)\.\w+\//,
    read: parameter('url'),
  },
  { hostAndPath: /^statics\.teams\.cdn\.office\.net\/.*safelinks/, read: parameter('url') },
  { hostAndPath: /^urldefense\.proofpoint\.com\/v1\/url$/, read: parameter('u') },
  {
    hostAndPath: /^urldefense\.proofpoint\.com\/v2\/url$/,
    read: (query) => decodeDashes(query.get('u') ?? ''),
  },
  {
    hostAndPath: /^urldefense\.(?:com|us|proofpoint\.com)\/v3\/__/,
    read: (_, address) => decodeAsterisks(address),
  },
  { hostAndPath: /^linkprotect\.cudasvc\.com\/url$/, read: parameter('a') },
  { hostAndPath: /^(?:www\.)?google\.[a-z.]{2,6}\/url$/, read: parameter('q', 'url') },
  { hostAndPath: /^duckduckgo\.com\/l\/$/, read: parameter('uddg') },
  { hostAndPath: /^(?:l|lm)\.(?:facebook|instagram|messenger)\.com\//, read: parameter('u') },
  { hostAndPath: /^(?:www\.)?linkedin\.com\/(?:redir\/redirect|safety\/go\/?)$/, read: parameter('url') },
  { hostAndPath: /^(?:www\.)?youtube\.com\/redirect$/, read: parameter('q') },
  { hostAndPath: /^out\.reddit\.com\//, read: parameter('url') },
  { hostAndPath: /^slack-redir\.net\/link$/, read: parameter('url') },
];

/** Replaces wrapped addresses in a text with the addresses inside them. */
export function unwrapLinks(text: string): string {
  return text.replace(/https?:\/\/[^\s<>"'`()[\]|\\]{1,8000}/gi, (written) => {
    const end = /[.,;:!?*_]{1,10}$/.exec(written)?.[0] ?? '';
    const inside = innerAddress(written.slice(0, written.length - end.length), 0);
    return inside === undefined ? written : inside + end;
  });
}

/** Forwarded mail is wrapped again. */
const maxLayers = 4;

function innerAddress(written: string, depth: number): string | undefined {
  const address = decodeEntities(written);
  if (depth >= maxLayers || !URL.canParse(address)) return undefined;
  const { host, pathname, searchParams } = new URL(address);
  const inside = wrappers
    .find(({ hostAndPath: place }) => place.test(host + pathname))
    ?.read(searchParams, address)
    ?.replace(/[\s<>"'`{}|\\^]/g, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)));
  if (inside === undefined || !/^[a-z][a-z0-9+.-]{1,40}:./i.test(inside)) return undefined;
  return innerAddress(inside, depth + 1) ?? inside;
}

/** Proofpoint version 2 writes dashes for percent signs and underscores for slashes. */
function decodeDashes(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('-', '%').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}

/** Proofpoint version 3 writes asterisks for characters, or for runs of them, which it appends in Base64. */
function decodeAsterisks(address: string): string | undefined {
  const [, written, coded = ''] = /\/v3\/__(.{1,8000}?)__;([\w+/=-]{0,2000})!/.exec(address) ?? [];
  const signs = [...Buffer.from(coded, 'base64').toString('utf8')];
  let at = 0;
  return written?.replace(/^([a-z]{2,40}:)\/(?!\/)/i, '$1//').replace(/\*(?:\*([\w-]))?/g, (_, run) => {
    const from = at;
    at += run === undefined ? 1 : runLengths.indexOf(run) + 2;
    return signs.slice(from, at).join('');
  });
}

const runLengths = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
