/** A plain value, as a parser returns it. */
export type Entry = Readonly<Record<string, unknown>>;

export type Language = 'json' | 'toml' | 'yaml';

/**
 * The location of entries in a file: the root key at the top level, or inside the path `within`, which only
 * JSON supports.
 */
export interface EntryLocation {
  readonly within?: readonly string[] | undefined;
  readonly root: string;
  readonly key: string;
}

/**
 * Reads and edits one config language, as pure functions of text. An edit changes nothing but the entry:
 * comments, order, indentation and line ends of everything else stay. Edits may fail on unusual texts;
 * `edit/entry-edit.ts` checks each by parsing the result, and uses nothing unchecked.
 */
export interface ConfigFormat {
  readonly language: Language;
  /** Parses the whole file to plain values, an empty text to an empty object. Throws {@link FormatFault}. */
  parse(text: string): unknown;
  /** Adds an entry, or changes its members there and keeps the others; creates the root if it is missing. */
  put(text: string, place: EntryLocation, entry: Entry): string;
  /** Removes an entry; with `withRoot` also the root, if it is empty then. */
  remove(text: string, place: EntryLocation, withRoot: boolean): string;
  /** Returns the entry alone, as it would be written. */
  render(place: EntryLocation, entry: Entry): string;
}

/** The reason why a text cannot be parsed or edited. */
export class FormatError extends Error {
  readonly line: number | undefined;

  constructor(reason: string, line?: number) {
    super(reason);
    this.name = 'FormatFault';
    this.line = line;
  }
}
