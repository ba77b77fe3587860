import type { Settings } from '../../../shared/schema/settings.ts';
import type { Matter } from '../attention/matter.ts';
import type { Disposable } from '../port/disposable.ts';
import { isWorthTelling, type Note, noteOf, summaryOf } from './note.ts';
import {
  bookOf,
  dueMatters,
  follow,
  type IsOpen,
  nextLook,
  type Told,
  type ToldBook,
  toldOf,
  withTold,
} from './told-book.ts';

export interface NotifierOptions {
  readonly now: () => number;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  /** Returns the current attention items. */
  readonly matters: () => readonly Matter[];
  readonly isOpen: IsOpen;
  readonly settings: () => Settings;
  /** True while the user has the window, and any problems in it, in view. */
  readonly watched: () => boolean;
  /** Shows a notification; disposing the result removes it. */
  readonly show: (note: Note) => Disposable;
  readonly known: Told;
  /** Saves what the user has been notified of, across restarts. */
  readonly keep: (told: Told) => void;
}

/** A notification on the screen and its items. */
interface Shown {
  readonly matters: readonly Matter[];
  readonly at: number;
  readonly note: Disposable;
}

/**
 * Notifies the user of attention items, once each until they change. Skips short-lived ones and those already
 * known or in view, and combines many at once into one notification.
 */
export class Notifier implements Disposable {
  #book: ToldBook;
  #shown: readonly Shown[] = [];
  #timer: Disposable | undefined;
  readonly #options: NotifierOptions;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#book = bookOf(options.known, options.now());
  }

  /** Checks for changes. */
  update(): void {
    const { now, matters, isOpen } = this.#options;
    const list = matters();
    const time = now();
    const book = follow(this.#book, list, isOpen, time);
    this.#takeAway(list);
    const told = this.#tell(dueMatters(book, list, time), time);
    this.#remember(withTold(book, told));
    this.#plan();
  }

  dispose(): void {
    this.#timer?.dispose();
    for (const { note } of this.#shown) note.dispose();
    this.#shown = [];
  }

  /** Returns the ids that need no further notification. */
  #tell(due: readonly Matter[], time: number): readonly string[] {
    const { settings, watched } = this.#options;
    const worth = watched() ? [] : due.filter((matter) => isWorthTelling(matter, settings()));
    const rest = due.filter((matter) => !worth.includes(matter)).map(({ id }) => id);
    if (worth.length === 0) return rest;
    const recent = this.#shown.filter(({ at }) => time - at < burstTime);
    if (worth.length + recent.length <= shownSingly && !recent.some(isSummary)) {
      for (const matter of worth) this.#show([matter], noteOf(matter), time);
    } else if (recent.some((shown) => isSummary(shown) && time - shown.at < summaryTime)) {
      return rest;
    } else {
      this.#summarize(worth, recent, time);
    }
    return [...rest, ...worth.map(({ id }) => id)];
  }

  /** Replaces the notifications shown just before. */
  #summarize(worth: readonly Matter[], recent: readonly Shown[], time: number): void {
    for (const { note } of recent) note.dispose();
    this.#shown = this.#shown.filter((shown) => !recent.includes(shown));
    const earlier = recent.flatMap(({ matters }) => matters);
    const ids = new Set(worth.map(({ id }) => id));
    const all = [...worth, ...earlier.filter(({ id }) => !ids.has(id))];
    this.#show(all, summaryOf(all), time);
  }

  #show(matters: readonly Matter[], note: Note, at: number): void {
    this.#shown = [...this.#shown, { matters, at, note: this.#options.show(note) }];
  }

  /** Dismisses notifications whose items are solved or have changed. */
  #takeAway(list: readonly Matter[]): void {
    const marks = new Map(list.map(({ id, mark }) => [id, mark]));
    const open = ({ id, mark }: Matter) => {
      const now = marks.get(id);
      return now === mark || (now === undefined && this.#options.isOpen(id));
    };
    const over = this.#shown.filter(({ matters }) => !matters.some(open));
    for (const { note } of over) note.dispose();
    this.#shown = this.#shown.filter((shown) => !over.includes(shown));
  }

  #remember(book: ToldBook): void {
    const before = JSON.stringify(toldOf(this.#book));
    this.#book = book;
    const told = toldOf(book);
    if (JSON.stringify(told) !== before) this.#options.keep(told);
  }

  #plan(): void {
    this.#timer?.dispose();
    const wait = nextLook(this.#book);
    this.#timer = wait === undefined ? undefined : this.#options.after(wait, () => this.update());
  }
}

function isSummary({ matters }: Shown): boolean {
  return matters.length > 1;
}

/** Maximum number of separate notifications at once and within the last minute; more are combined. */
const shownSingly = 3;
const burstTime = 60_000;
/** Minimum time between two summaries in milliseconds. */
const summaryTime = 30_000;
