/** The text without what nobody sees: marks of byte order and direction, zero-width characters, colours of terminals. */
export function cleanText(text: string): string {
  return text
    .replace(invisible, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, ' ');
}

const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals and UTF-16 leave these in copied text.
  /\u001B\[[0-9;?]{0,30}[ -/]{0,3}[@-~]|[\u0000\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/**
 * Other readings of a text, the likeliest first, for when nothing was found in it as it stands: typographic quotes made
 * plain, character references of HTML decoded, a quoted JSON text opened, marks before each line taken off.
 */
export function otherReadings(text: string): readonly string[] {
  const straight = straightened(text);
  const readings = [
    straight,
    decodeEntities(straight),
    opened(straight),
    withoutMargin(straight),
    decodeEntities(withoutTags(straight)),
    narrowed(straight),
  ];
  return [...new Set(readings)].filter((reading) => reading !== text);
}

/** Web pages, chat programs and word processors write quotes in another way. */
export function straightened(text: string): string {
  return text
    .replace(/[\u201C-\u201F\u00AB\u00BB\u2033\uFF02]/g, '"')
    .replace(/[\u2018-\u201B\u2032\uFF07]/g, "'");
}

/** Code on a web page is coloured by tags; cells, items and paragraphs are lines of their own. */
export function withoutTags(text: string): string {
  if (!/<\/(?:pre|code|span|p|div|li|td)>/i.test(text)) return text;
  return text
    .replace(/<code>([^<>\n`]{1,2000})<\/code>/gi, '`$1`')
    .replace(/<\/(?:p|div|li|td|th|tr|pre)>|<br\s{0,5}\/?>/gi, '\n')
    .replace(
      /<\/?(?:pre|code|span|p|div|li|ul|ol|td|th|tr|thead|tbody|table|b|i|em|strong|button)\b[^<>]{0,500}>/gi,
      '',
    );
}

/** Keyboards of East Asia write signs that are as wide as their letters. */
function narrowed(text: string): string {
  return text.replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) - 0xfee0));
}

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:(quot|amp|lt|gt|apos|nbsp)|#(\d{1,6})|#x([0-9a-f]{1,5}));/gi,
    (whole, name, decimal, hex) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: ' ',
};

/** A JSON text that holds the config as a text, or one whose quotes are all escaped. */
function opened(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(["'`])([^"'`\n]+)\1$/.exec(trimmed)?.[2];
  if (quoted !== undefined) return quoted;
  if (/^(['"]).*\1$/s.test(trimmed) && trimmed.includes('\\"')) {
    return trimmed
      .slice(1, -1)
      .replace(/\\(["\\/])/g, '$1')
      .replace(/\\n/g, '\n')
      .replace(/\\t/g, '\t');
  }
  return /^[[{](?:\s|\\[nrt])*\\"/.test(trimmed)
    ? trimmed.replace(/\\(["\\/])/g, '$1').replace(/\\[nrt]/g, ' ')
    : text;
}

/** A comparison of two files as the second of them: without the lines that were taken out, without marks. */
export function undiffed(text: string): string {
  if (!/^\+/m.test(text)) return text;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (!lines.every((line) => /^(?:[+\- {}[\]\\]|@@|diff --git |index )/.test(line))) return text;
  return lines
    .filter((line) => !/^(?:-|\+\+\+ |@@|diff --git |index |\\ )/.test(line))
    .map((line) => line.replace(/^\+ ?/, ''))
    .join('\n');
}

/** Marks that quoting and numbering put before each line, or the bar of a comment. */
function withoutMargin(text: string): string {
  const lines = text.split('\n');
  for (const mark of [/^\s{0,3}>\s?/, /^\s*\d{1,5}[ \t]*[|:]?[ \t]/, /^\s*\/\/ ?/, /^\s*# ?/, /^\s*\* ?/]) {
    const written = lines.filter((line) => line.trim() !== '');
    if (written.length > 1 && written.every((line) => mark.test(line))) {
      return lines.map((line) => line.replace(mark, '')).join('\n');
    }
  }
  return text;
}
