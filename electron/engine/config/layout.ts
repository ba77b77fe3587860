/** The format of a text: its line ends and one step of indentation. */
export interface Layout {
  readonly eol: string;
  readonly unit: string;
}

export function layoutOf(body: string): Layout {
  return {
    eol: /\r\n|\r|\n/.exec(body)?.[0] ?? '\n',
    unit: /(?:^|[\r\n])([ \t]+)["}\]/]/.exec(body)?.[1] ?? '  ',
  };
}

/** Returns the whitespace at the start of the line of `offset`. */
export function indentAt(body: string, offset: number): string {
  const start = lineStart(body, offset);
  return /^[ \t]*/.exec(body.slice(start, offset))?.[0] ?? '';
}

/** Returns whether only whitespace precedes `offset` on its line, and a line precedes that one. */
export function isFirstOnLine(body: string, offset: number): boolean {
  const start = lineStart(body, offset);
  return start > 0 && body.slice(start, offset).trim() === '';
}

/** Returns the offset just before the line break that precedes the line of `offset`. */
export function previousLineEnd(body: string, offset: number): number {
  const start = lineStart(body, offset);
  return body.startsWith('\r\n', start - 2) ? start - 2 : start - 1;
}

function lineStart(body: string, offset: number): number {
  return Math.max(body.lastIndexOf('\n', offset - 1), body.lastIndexOf('\r', offset - 1)) + 1;
}

/** Removes `indent` from every line after the first, if every non-blank one starts with it. */
export function dedent(text: string, indent: string): string {
  const lines = text.split('\n');
  return isDedentable(lines, indent)
    ? lines.map((line, index) => (index === 0 || isBlank(line) ? line : line.slice(indent.length))).join('\n')
    : text;
}

/** Reverses {@link dedent}, for a text that replaces `original`. */
export function redent(text: string, indent: string, original: string): string {
  if (!isDedentable(original.split('\n'), indent)) return text;
  const lines = text.split('\n');
  return lines.map((line, index) => (index === 0 || isBlank(line) ? line : indent + line)).join('\n');
}

function isDedentable(lines: readonly string[], indent: string): boolean {
  return lines.every((line, index) => index === 0 || isBlank(line) || line.startsWith(indent));
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
