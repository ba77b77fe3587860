import { z } from 'zod';
import type { Matter } from '../attention/matter.ts';

/** Notification state of one item. */
interface Entry {
  readonly mark: string;
  /** Time when it appeared or changed. */
  readonly since: number;
  /** True if the user has been notified or has seen it. */
  readonly told: boolean;
  /** Time since when the problem has been absent. */
  readonly calmSince?: number;
}

/** Current items by id, with whether the user has been notified. */
export type ToldBook = ReadonlyMap<string, Entry>;

/** Tells whether an item that is not in the list may still be open. */
export type IsOpen = (id: string) => boolean;

/**
 * Updates the state with the current items. An item is removed only after it has been absent for a while, so
 * that a server that keeps failing is one item; and never while it may still be open.
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

/** Returns the items that have lasted long enough and that the user does not know of. */
export function dueMatters(book: ToldBook, matters: readonly Matter[], now: number): readonly Matter[] {
  return matters.filter(({ id }) => {
    const entry = book.get(id);
    return entry !== undefined && !entry.told && now - entry.since >= settleTime;
  });
}

/** Returns the milliseconds until the next check; undefined if only a change can matter. */
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

/** Saved across restarts: the marks of items the user has been notified of. */
export const toldSchema = z.record(z.string(), z.string());
export type Told = Readonly<z.infer<typeof toldSchema>>;

export function toldOf(book: ToldBook): Told {
  return Object.fromEntries([...book].flatMap(([id, { mark, told }]) => (told ? [[id, mark]] : [])));
}

export function bookOf(told: Told, now: number): ToldBook {
  return new Map(Object.entries(told).map(([id, mark]) => [id, { mark, since: now, told: true }]));
}

/** Milliseconds before a problem is reported: many solve themselves. */
export const settleTime = 3_000;
/** Milliseconds without the problem before it is reported again. */
export const calmTime = 60_000;
