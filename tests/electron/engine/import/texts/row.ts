/** A text that people paste, with the expected result. */
export interface TextRow {
  readonly what: string;
  readonly text: string;
  /** Entries by key after the import, with every input answered with `typed`. */
  readonly servers?: Readonly<Record<string, object>>;
  /** Titles of the inputs. */
  readonly asks?: readonly string[];
  /** Part of the reason why there is none. */
  readonly none?: string;
  /** Part of a remark on a server. */
  readonly says?: string;
  /** Variables that are missing after everything is answered. */
  readonly waits?: readonly string[];
}

type Expected = Omit<TextRow, 'what' | 'text'>;

export const row = (what: string, text: string, expected: Expected): TextRow => ({ what, text, ...expected });
/** One server that is run. */
export const runs = (key: string, command: string, args: readonly string[], more: object = {}) => ({
  [key]: { command, args, ...more },
});
/** One server that is remote. */
export const reaches = (key: string, url: string, more: object = {}) => ({ [key]: { url, ...more } });
export const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
export const escaped = (value: unknown) => encodeURIComponent(JSON.stringify(value));
