import { z } from 'zod';
import type { AttentionItem } from '../attention/matter.ts';

/** Notification state of one item. */
interface ItemState {
  readonly mark: string;
  /** Time when it appeared or changed. */
  readonly since: number;
  /** True if the user has been notified or has seen it. */
  readonly told: boolean;
  /** Time since when the problem has been absent. */
  readonly calmSince?: number;
}

/** Current items by id, with whether the user has been notified. */
export type NotifiedItems = ReadonlyMap<string, ItemState>;

/** Tells whether an item that is not in the list may still be open. */
export type IsOpen = (id: string) => boolean;

/**
 * Updates the state with the current items. An item is removed only after it has been absent for a while, so
 * that a server that keeps failing is one item; and never while it may still be open.
 */
export function updateItems(
  items: NotifiedItems,
  current: readonly AttentionItem[],
  isOpen: IsOpen,
  now: number,
): NotifiedItems {
  const next = new Map<string, ItemState>();
  for (const [id, entry] of items) {
    const kept = isOpen(id) ? entry : { ...entry, calmSince: entry.calmSince ?? now };
    if (kept.calmSince === undefined || now - kept.calmSince < absentMs) next.set(id, kept);
  }
  for (const { id, version: mark } of current) next.set(id, entryOf(items.get(id), mark, now));
  return next;
}

function entryOf(known: ItemState | undefined, mark: string, now: number): ItemState {
  if (known === undefined || known.mark !== mark) return { mark, since: now, told: false };
  const { since, told } = known;
  return { mark, since, told };
}

/** Returns the items that have lasted long enough and that the user does not know of. */
export function dueItems(
  items: NotifiedItems,
  current: readonly AttentionItem[],
  now: number,
): readonly AttentionItem[] {
  return current.filter(({ id }) => {
    const entry = items.get(id);
    return entry !== undefined && !entry.told && now - entry.since >= settleMs;
  });
}

/** Returns the milliseconds until the next check; undefined if only a change can matter. */
export function nextCheckMs(items: NotifiedItems): number | undefined {
  const entries = [...items.values()];
  if (entries.some(({ told, calmSince }) => !told && calmSince === undefined)) return settleMs;
  return entries.some(({ calmSince }) => calmSince !== undefined) ? absentMs : undefined;
}

export function markNotified(items: NotifiedItems, ids: readonly string[]): NotifiedItems {
  const notified = ids.flatMap((id) => {
    const entry = items.get(id);
    return entry === undefined ? [] : [[id, { ...entry, told: true }] as const];
  });
  return new Map([...items, ...notified]);
}

/** Saved across restarts: the marks of items the user has been notified of. */
export const notifiedVersionsSchema = z.record(z.string(), z.string());
export type NotifiedVersions = Readonly<z.infer<typeof notifiedVersionsSchema>>;

export function notifiedVersions(items: NotifiedItems): NotifiedVersions {
  return Object.fromEntries([...items].flatMap(([id, { mark, told }]) => (told ? [[id, mark]] : [])));
}

export function restoreItems(versions: NotifiedVersions, now: number): NotifiedItems {
  return new Map(Object.entries(versions).map(([id, mark]) => [id, { mark, since: now, told: true }]));
}

/** Milliseconds before a problem is reported: many solve themselves. */
export const settleMs = 3_000;
/** Milliseconds without the problem before it is reported again. */
export const absentMs = 60_000;
