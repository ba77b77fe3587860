/** A Windows path without doubled backslashes, up to its quote: none of them starts an escape. */
export const windowsPath =
  /(?:[A-Za-z]:|%\w{1,40}%|\\\\[\w.-]{1,100}|\.{1,2}|~)(?:\\[^\\"'`\n<>|*?]+)+(?=["'`])/y;

/** Tells whether JSON, read as it is written, would turn parts of a path into control characters. */
export function hasBrokenPath(text: string): boolean {
  return /"(?:[A-Za-z]:|%\w{1,40}%)\\[bfnrt][^\\"]/.test(text);
}

/** Puts paths in double quotes into single ones, between which TOML and YAML know no escapes. */
export function withLiteralPaths(text: string): string {
  return text.replace(
    /"((?:[A-Za-z]:|%\w{1,40}%|\\\\[\w.-]{1,100}|\.{1,2}|~)(?:\\[^\\"'`\n<>|*?]+)+)"/g,
    "'$1'",
  );
}
