import type { Settings } from '../../../shared/schema/settings.ts';
import type { AttentionItem } from '../attention/matter.ts';
import type { Disposable } from '../port/disposable.ts';
import { type NotificationContent, notificationFor, shouldNotify, summaryNotification } from './note.ts';
import {
  dueItems,
  type IsOpen,
  markNotified,
  type NotifiedItems,
  type NotifiedVersions,
  nextCheckMs,
  notifiedVersions,
  restoreItems,
  updateItems,
} from './told-book.ts';

export interface NotifierOptions {
  readonly now: () => number;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  /** Returns the current attention items. */
  readonly items: () => readonly AttentionItem[];
  readonly isOpen: IsOpen;
  readonly settings: () => Settings;
  /** True while the user has the window, and any problems in it, in view. */
  readonly watched: () => boolean;
  /** Shows a notification; disposing the result removes it. */
  readonly show: (note: NotificationContent) => Disposable;
  readonly known: NotifiedVersions;
  /** Saves what the user has been notified of, across restarts. */
  readonly save: (told: NotifiedVersions) => void;
}

/** A notification on the screen and its items. */
interface Shown {
  readonly items: readonly AttentionItem[];
  readonly at: number;
  readonly note: Disposable;
}

/**
 * Notifies the user of attention items, once each until they change. Skips short-lived ones and those already
 * known or in view, and combines many at once into one notification.
 */
export class Notifier implements Disposable {
  #items: NotifiedItems;
  #shown: readonly Shown[] = [];
  #timer: Disposable | undefined;
  readonly #options: NotifierOptions;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#items = restoreItems(options.known, options.now());
  }

  /** Checks for changes. */
  update(): void {
    const { now, items: matters, isOpen } = this.#options;
    const list = matters();
    const time = now();
    const book = updateItems(this.#items, list, isOpen, time);
    this.#dismissStale(list);
    const told = this.#notify(dueItems(book, list, time), time);
    this.#save(markNotified(book, told));
    this.#scheduleNext();
  }

  dispose(): void {
    this.#timer?.dispose();
    for (const { note } of this.#shown) note.dispose();
    this.#shown = [];
  }

  /** Returns the ids that need no further notification. */
  #notify(due: readonly AttentionItem[], time: number): readonly string[] {
    const { settings, watched } = this.#options;
    const worth = watched() ? [] : due.filter((matter) => shouldNotify(matter, settings()));
    const rest = due.filter((matter) => !worth.includes(matter)).map(({ id }) => id);
    if (worth.length === 0) return rest;
    const recent = this.#shown.filter(({ at }) => time - at < burstMs);
    if (worth.length + recent.length <= maxSeparate && !recent.some(isSummary)) {
      for (const matter of worth) this.#show([matter], notificationFor(matter), time);
    } else if (recent.some((shown) => isSummary(shown) && time - shown.at < summaryMs)) {
      return rest;
    } else {
      this.#summarize(worth, recent, time);
    }
    return [...rest, ...worth.map(({ id }) => id)];
  }

  /** Replaces the notifications shown just before. */
  #summarize(worth: readonly AttentionItem[], recent: readonly Shown[], time: number): void {
    for (const { note } of recent) note.dispose();
    this.#shown = this.#shown.filter((shown) => !recent.includes(shown));
    const earlier = recent.flatMap(({ items: matters }) => matters);
    const ids = new Set(worth.map(({ id }) => id));
    const all = [...worth, ...earlier.filter(({ id }) => !ids.has(id))];
    this.#show(all, summaryNotification(all), time);
  }

  #show(matters: readonly AttentionItem[], note: NotificationContent, at: number): void {
    this.#shown = [...this.#shown, { items: matters, at, note: this.#options.show(note) }];
  }

  /** Dismisses notifications whose items are solved or have changed. */
  #dismissStale(list: readonly AttentionItem[]): void {
    const marks = new Map(list.map(({ id, version: mark }) => [id, mark]));
    const open = ({ id, version: mark }: AttentionItem) => {
      const now = marks.get(id);
      return now === mark || (now === undefined && this.#options.isOpen(id));
    };
    const over = this.#shown.filter(({ items: matters }) => !matters.some(open));
    for (const { note } of over) note.dispose();
    this.#shown = this.#shown.filter((shown) => !over.includes(shown));
  }

  #save(book: NotifiedItems): void {
    const before = JSON.stringify(notifiedVersions(this.#items));
    this.#items = book;
    const told = notifiedVersions(book);
    if (JSON.stringify(told) !== before) this.#options.save(told);
  }

  #scheduleNext(): void {
    this.#timer?.dispose();
    const wait = nextCheckMs(this.#items);
    this.#timer = wait === undefined ? undefined : this.#options.after(wait, () => this.update());
  }
}

function isSummary({ items: matters }: Shown): boolean {
  return matters.length > 1;
}

/** Maximum number of separate notifications at once and within the last minute; more are combined. */
const maxSeparate = 3;
const burstMs = 60_000;
/** Minimum time between two summaries in milliseconds. */
const summaryMs = 30_000;
