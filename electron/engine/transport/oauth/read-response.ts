import { isRecord, parseJson } from '../../../../shared/json.ts';

export type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a member as services write it: null and empty values count as missing, and similar types are
 * converted.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (Array.isArray(value)) return value.length === 1 ? textOf(value[0]) : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Reads a list that may be written as one text, or as an object with numeric keys, as PHP does. */
export function textsOf(value: unknown): readonly string[] | undefined {
  const items = isRecord(value) ? Object.values(value) : Array.isArray(value) ? value : undefined;
  const words = items?.flatMap((item) => textOf(item) ?? []) ?? textOf(value)?.split(/[\s,]+/) ?? [];
  const found = words.filter((word) => word !== '');
  return found.length === 0 ? undefined : found;
}

export function flagOf(value: unknown): boolean {
  return value === true || ['true', '1'].includes(textOf(value)?.toLowerCase() ?? '');
}

/** Reads a lifetime in seconds; dates, zero and negative numbers are ignored as unreliable. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = Number(textOf(value));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Reads a web address; a relative one is resolved against `base`. */
export function addressOf(value: unknown, base?: string): string | undefined {
  const text = textOf(value);
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const { protocol, href } = new URL(text, base);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return URL.canParse(text) ? text : href;
}

/**
 * Reads `http` as `https` in an address of the host that was reached by `https`: a program behind a proxy that
 * ends https writes the scheme that it sees.
 */
export function asReached(address: string, reached: string): string {
  if (!URL.canParse(address) || !URL.canParse(reached)) return address;
  const [written, known] = [new URL(address), new URL(reached)];
  const isBehindProxy =
    written.protocol === 'http:' && known.protocol === 'https:' && written.host === known.host;
  return isBehindProxy ? address.replace(/^\s*http/i, 'https') : address;
}

/**
 * Parses a response as JSON, as JSON inside a JSON string, in a list or between other output, or as form data,
 * as some services write it; undefined for a page.
 */
export function membersOf(text: string): Members | undefined {
  const parsed = parseJson(text.replace(/^\uFEFF/, '')) ?? objectBetween(text);
  const inner = typeof parsed === 'string' ? parseJson(parsed) : parsed;
  const only = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
  if (isRecord(only)) return withSnakeCase(only);
  return formStart.test(text) ? Object.fromEntries(new URLSearchParams(text.trim())) : undefined;
}

/** Finds the object among what a framework prints before and after it: warnings, a guard, the time it took. */
function objectBetween(text: string): unknown {
  const isPage = pageStart.test(text) || formStart.test(text);
  return isPage ? undefined : parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

const pageStart = /^\s{0,100}<(?:!doctype|html|head|\?xml)/i;

/** Matches the start of `access_token=…` or `error=…`. */
const formStart = /^\s{0,20}[a-z_]{1,40}=/;

/** Returns the response and the objects in its wrapper members, one level deep. */
export function withWrapped(answer: Members): readonly Members[] {
  return [
    answer,
    ...wrapperMembers
      .map((name) => answer[name])
      .filter(isRecord)
      .map(withSnakeCase),
  ];
}

/** Adds members such as `accessToken`, as some serializers write them, under their standard names. */
function withSnakeCase(members: Members): Members {
  const renamed = Object.entries(members).map(([name, value]) => [snakeCase(name), value]);
  return { ...Object.fromEntries(renamed), ...members };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);
}

const wrapperMembers = ['data', 'token', 'tokens', 'client', 'result', 'response'] as const;
