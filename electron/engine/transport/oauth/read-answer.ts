import { isRecord, parseJson } from '../../../../shared/json.ts';

export type Members = Readonly<Record<string, unknown>>;

/**
 * Members of answers as services write them: null, an empty text, list or object stands for a member that is not there,
 * and a neighbouring type for the right one.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (Array.isArray(value)) return value.length === 1 ? textOf(value[0]) : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Reads a list that may be written as one text, or as an object with numbers for names, as PHP does. */
export function wordsOf(value: unknown): readonly string[] | undefined {
  const items = isRecord(value) ? Object.values(value) : Array.isArray(value) ? value : undefined;
  const words = items?.flatMap((item) => textOf(item) ?? []) ?? textOf(value)?.split(/[\s,]+/) ?? [];
  const found = words.filter((word) => word !== '');
  return found.length === 0 ? undefined : found;
}

export function flagOf(value: unknown): boolean {
  return value === true || ['true', '1'].includes(textOf(value)?.toLowerCase() ?? '');
}

/** Reads a lifetime in seconds; a date, zero and anything below say nothing that can be relied on. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = Number(textOf(value));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Reads an address of the web; one that is relative begins at `base`. */
export function addressOf(value: unknown, base?: string): string | undefined {
  const text = textOf(value);
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const { protocol, href } = new URL(text, base);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return URL.canParse(text) ? text : href;
}

/**
 * The members of an answer in JSON, also where that is written as a text in JSON, or, as some services write them, in the
 * form of a query; undefined for a page.
 */
export function membersOf(text: string): Members | undefined {
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  const inner = typeof parsed === 'string' ? parseJson(parsed) : parsed;
  if (isRecord(inner)) return inner;
  return formStart.test(text) ? Object.fromEntries(new URLSearchParams(text.trim())) : undefined;
}

/** Begins as `access_token=…` or `error=…` do. */
const formStart = /^\s{0,20}[a-z_]{1,40}=/;

/** An answer, and what stands in the members in which services wrap all of it: one level down and no deeper. */
export function levelsOf(answer: Members): readonly Members[] {
  return [answer, ...wrappers.map((name) => answer[name]).filter(isRecord)];
}

const wrappers = ['data', 'token', 'tokens', 'client', 'result', 'response'] as const;
