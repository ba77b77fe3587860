/* What is told from the text of JSON without reading all of it. */

/** Where the quote is that ends the string that begins at `start`; -1 if it is not there. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}

/** What the inside of a string token says; undefined where it is none. */
export function decoded(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}

/** The inside of a string that was cut, without the half of an escape at its end. */
export function withoutHalfEscape(raw: string): string {
  return raw.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1');
}

/** White space between tokens, by its character code. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
