/** A plain value, as a parser gives it. */
export type Entry = Readonly<Record<string, unknown>>;

export type Language = 'json' | 'toml' | 'yaml';

/** Where entries stand in a file: under which key of its top level, or of what `within` leads to; that is known to JSON alone. */
export interface EntryPlace {
  readonly within?: readonly string[] | undefined;
  readonly root: string;
  readonly key: string;
}

/**
 * Reads and edits one language of config files, as functions from text to text. An edit changes nothing but the entry:
 * comments, order, indentation and line ends of everything else stay. Edits may fail on texts they do not see through;
 * `edit/entry-edit.ts` checks each by parsing, and uses nothing unchecked.
 */
export interface ConfigFormat {
  readonly language: Language;
  /** The whole file as plain values, an empty text as an empty object. Throws {@link FormatFault}. */
  parse(text: string): unknown;
  /** Adds an entry, or makes one that is there equal to it; makes the root where it is missing. */
  put(text: string, place: EntryPlace, entry: Entry): string;
  /** Takes an entry out; with `withRoot` also the root, if nothing is left in it. */
  remove(text: string, place: EntryPlace, withRoot: boolean): string;
  /** The entry alone, as it is written. */
  render(place: EntryPlace, entry: Entry): string;
}

/** Why a text is not what its file should hold. */
export class FormatFault extends Error {
  readonly line: number | undefined;

  constructor(reason: string, line?: number) {
    super(reason);
    this.name = 'FormatFault';
    this.line = line;
  }
}
