import { z } from 'zod';
import type { Matter } from '../attention/matter.ts';

/** What is known of one matter. */
interface Entry {
  readonly mark: string;
  /** When it came, or became another trouble. */
  readonly since: number;
  /** The person has been told, or has had it before their eyes. */
  readonly told: boolean;
  /** Since when all has been well with it. */
  readonly calmSince?: number;
}

/** Which matters there are and which of them the person knows of, by their ids. */
export type ToldBook = ReadonlyMap<string, Entry>;

/** How a matter stands that is not in the list: over, or not known yet. */
export type IsOpen = (id: string) => boolean;

/**
 * The book after a look at what there is. A matter is over only once all has been well with it for a while, so that a
 * server that fails again and again is one matter; and nothing is over whose end is not certain.
 */
export function follow(book: ToldBook, matters: readonly Matter[], isOpen: IsOpen, now: number): ToldBook {
  const next = new Map<string, Entry>();
  for (const [id, entry] of book) {
    const kept = isOpen(id) ? entry : { ...entry, calmSince: entry.calmSince ?? now };
    if (kept.calmSince === undefined || now - kept.calmSince < calmTime) next.set(id, kept);
  }
  for (const { id, mark } of matters) next.set(id, entryOf(book.get(id), mark, now));
  return next;
}

function entryOf(known: Entry | undefined, mark: string, now: number): Entry {
  if (known === undefined || known.mark !== mark) return { mark, since: now, told: false };
  const { since, told } = known;
  return { mark, since, told };
}

/** Those that have lasted a moment and that the person does not know of. */
export function dueMatters(book: ToldBook, matters: readonly Matter[], now: number): readonly Matter[] {
  return matters.filter(({ id }) => {
    const entry = book.get(id);
    return entry !== undefined && !entry.told && now - entry.since >= settleTime;
  });
}

/** Milliseconds until the next look is worth it; undefined where only a change can bring something. */
export function nextLook(book: ToldBook): number | undefined {
  const entries = [...book.values()];
  if (entries.some(({ told, calmSince }) => !told && calmSince === undefined)) return settleTime;
  return entries.some(({ calmSince }) => calmSince !== undefined) ? calmTime : undefined;
}

export function withTold(book: ToldBook, ids: readonly string[]): ToldBook {
  const told = ids.flatMap((id) => {
    const entry = book.get(id);
    return entry === undefined ? [] : [[id, { ...entry, told: true }] as const];
  });
  return new Map([...book, ...told]);
}

/** What is kept over a restart: the marks of what the person knows of. */
export const toldSchema = z.record(z.string(), z.string());
export type Told = Readonly<z.infer<typeof toldSchema>>;

export function toldOf(book: ToldBook): Told {
  return Object.fromEntries([...book].flatMap(([id, { mark, told }]) => (told ? [[id, mark]] : [])));
}

export function bookOf(told: Told, now: number): ToldBook {
  return new Map(Object.entries(told).map(([id, mark]) => [id, { mark, since: now, told: true }]));
}

/** Milliseconds that trouble lasts before anybody is told: much of it is over by itself. */
export const settleTime = 3_000;
/** Milliseconds for which all must be well until the same is worth telling anew. */
export const calmTime = 60_000;
