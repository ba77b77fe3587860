import { isRecord } from '../../../shared/json.ts';
import { type GuardMode, guardModes } from '../../../shared/model/tool/guard.ts';
import { setJson } from './edit-json.ts';
import { readEntry } from './entry-text.ts';

/** Our own options of an entry as the form shows them; missing and malformed options are undefined. */
export interface OptionsDraft {
  readonly restart: 'always' | 'never';
  readonly start: 'auto' | 'on-demand';
  readonly isolation: 'shared' | 'per-client';
  readonly protocol: 'auto' | 'legacy' | 'modern';
  /** Maximum number of processes, for `per-client`. */
  readonly maxInstances: number | undefined;
  /** In milliseconds; `false`: never. */
  readonly idleStop: number | false | undefined;
  readonly healthCheckUrl: string;
  readonly healthInterval: number | undefined;
  readonly healthTimeout: number | undefined;
  readonly concurrency: number | undefined;
  readonly fallback: readonly Fallback[];
  readonly guard: GuardMode;
  /** Display name. */
  readonly title: string;
}

/** Tools to call instead, in this order, when a tool cannot be called. */
export interface Fallback {
  readonly tool: string;
  /** Patchbay IDs of the fallback tools. */
  readonly others: readonly string[];
}

/** Defaults of a server without our options. */
export const optionDefaults = {
  restart: 'always',
  start: 'auto',
  isolation: 'shared',
  maxInstances: 32,
  healthInterval: 30_000,
  healthTimeout: 5_000,
  /** Applies to on-demand servers; others never sleep. */
  idleStop: 10 * 60_000,
} as const;

const protocols = ['auto', 'legacy', 'modern'] as const;

/** Reads the options from an entry's text. */
export function readOptions(text: string): OptionsDraft {
  const entry = readEntry(text);
  const options = isRecord(entry?.patchbay) ? entry.patchbay : {};
  return {
    restart: options.restart === 'never' ? 'never' : 'always',
    start: options.start === 'on-demand' ? 'on-demand' : 'auto',
    isolation: options.isolation === 'per-client' ? 'per-client' : 'shared',
    protocol: protocols.find((protocol) => protocol === options.protocol) ?? 'auto',
    maxInstances: asNumber(options.maxInstances),
    idleStop: options.idleStop === false ? false : asNumber(options.idleStop),
    healthCheckUrl: typeof options.healthCheckUrl === 'string' ? options.healthCheckUrl : '',
    healthInterval: asNumber(options.healthInterval),
    healthTimeout: asNumber(options.healthTimeout),
    concurrency: asNumber(options.concurrency),
    fallback: asFallbacks(options.fallback),
    guard: guardModes.find((mode) => mode === options.guard) ?? 'changes',
    title: typeof options.title === 'string' ? options.title : '',
  };
}

/**
 * Returns the text with one option changed; an option with its default value is removed, and so is an empty
 * `patchbay` member.
 */
export function writeOption<N extends keyof OptionsDraft>(
  text: string,
  name: N,
  value: OptionsDraft[N],
): string {
  const held = readEntry(text)?.patchbay;
  // The member is something else, which cannot have members.
  const base = held === undefined || isRecord(held) ? text : setJson(text, ['patchbay'], {});
  const changed = setJson(base, ['patchbay', name], storedValue(name, value));
  const options = readEntry(changed)?.patchbay;
  const empty = isRecord(options) && Object.keys(options).length === 0;
  return empty ? setJson(changed, ['patchbay'], undefined) : changed;
}

/** Returns the effective idle time in milliseconds; undefined: never sleeps. */
export function idleStopOf({ idleStop, start }: OptionsDraft): number | undefined {
  if (idleStop === false) return undefined;
  return idleStop ?? (start === 'on-demand' ? optionDefaults.idleStop : undefined);
}

function storedValue(name: keyof OptionsDraft, value: OptionsDraft[keyof OptionsDraft]): unknown {
  if (name === 'fallback') return storedFallbacks(value as readonly Fallback[]);
  return defaultValues.has(value) ? undefined : value;
}

/** Default values, which are not written to the file. */
const defaultValues: ReadonlySet<unknown> = new Set(['', 'always', 'auto', 'shared', 'changes']);

function storedFallbacks(fallbacks: readonly Fallback[]): unknown {
  const named = fallbacks.filter(({ tool }) => tool !== '');
  return named.length === 0
    ? undefined
    : Object.fromEntries(named.map(({ tool, others }) => [tool, [...others]]));
}

function asFallbacks(value: unknown): readonly Fallback[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([tool, others]) => ({
    tool,
    others: Array.isArray(others) ? others.filter((one) => typeof one === 'string') : [],
  }));
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
