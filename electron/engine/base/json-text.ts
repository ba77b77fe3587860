/** Helpers that read JSON text without parsing all of it. */

/** Returns the index of the quote that ends the string starting at `start`, or -1. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}

/** Decodes the inside of a string token; returns undefined if it is invalid. */
export function decoded(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}

/** Removes a truncated escape from the end of a cut string. */
export function withoutHalfEscape(raw: string): string {
  return raw.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1');
}

/** Tells whether a character code is JSON white space. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
