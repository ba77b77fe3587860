import { objectsOfFilters } from './filters.ts';

/** Removes invisible characters: byte order and direction marks, zero-width characters, terminal colours. */
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
 * Returns other readings of a text, the likeliest first, in case nothing was found in it: straight quotes,
 * HTML entities decoded, a quoted JSON text unquoted, line prefixes removed.
 */
export function otherReadings(text: string): readonly string[] {
  const straight = straightened(text);
  const readings = [
    straight,
    decodeEntities(straight),
    decodeEntities(decodeEntities(straight)),
    unquotedJson(straight),
    withoutQuotePrefix(straight),
    withoutDiff(withoutNumbers(straight)),
    withoutCommentPrefix(straight),
    objectsOfFilters(straight),
    decodeEntities(withoutTags(straight)),
    halfWidth(straight),
  ];
  return [...new Set(readings)].filter((reading) => reading !== text);
}

/** Web pages, chat programs and word processors change quotes and hyphens. */
export function straightened(text: string): string {
  return text
    .replace(/[\u201C-\u201F\u00AB\u00BB\u2033\uFF02]/g, '"')
    .replace(/[\u2018-\u201B\u2032\uFF07]/g, "'")
    .replace(/[\u2010\u2011\u2212]/g, '-');
}

/** Removes tags that colour code on a web page; cells, items and paragraphs become lines. */
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

/** East Asian keyboards type full-width punctuation. */
function halfWidth(text: string): string {
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

/** Opens a JSON string that contains the config, or a text whose quotes are all escaped. */
function unquotedJson(text: string): string {
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

/** Turns a diff into the new file: without removed lines and markers. */
export function withoutDiff(text: string): string {
  if (/^@@ -\d/m.test(text)) return withHunks(text);
  if (!/^\+/m.test(text)) return text;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (!lines.every((line) => /^[+\- {}[\]\\]/.test(line) || diffHead.test(line))) return text;
  return lines
    .filter((line) => !/^(?:-|\\ )/.test(line) && !diffHead.test(line))
    .map((line) => line.replace(/^\+ ?/, ''))
    .join('\n');
}

const diffHead =
  /^(?:@@ |diff --git |index [\da-f]|--- (?:"?a\/|\/dev\/null)|\+\+\+ |(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) |\\ No newline)/;

/** Hunks of a diff start with their line numbers; text around the hunks stays as it is. */
function withHunks(text: string): string {
  let isInside = false;
  return text
    .split('\n')
    .flatMap((line) => {
      if (diffHead.test(line)) {
        isInside = line.startsWith('@@ ') || (isInside && line.startsWith('\\'));
        return [];
      }
      isInside = isInside && /^(?:[+\- ]|$)/.test(line);
      if (!isInside) return [line];
      return line.startsWith('-') ? [] : [line.slice(1)];
    })
    .join('\n');
}

/** Returns the lines that a diff adds, for a diff whose context is cut off. */
export function addedLines(text: string): string {
  if (!/^@@ -\d/m.test(text)) return '';
  const added = text.split('\n').filter((line) => /^\+(?!\+\+ )/.test(line));
  return added.map((line) => line.slice(1)).join('\n');
}

/** Mail replies quote text, and quotations of it. */
function withoutQuotePrefix(text: string): string {
  return text.replace(/^ {0,3}(?:>[ \t]?){1,20}/gm, '');
}

/** Removes line numbers that programs show, even if other lines lie between. */
function withoutNumbers(text: string): string {
  const mark = /^\s{0,20}(\d{1,6})(?:[ \t]{0,20}(?:→|[│|:][ \t]?)|[ \t])/;
  const lines = text.split('\n');
  const numbers = lines.map((line) => Number(mark.exec(line)?.[1] ?? Number.NaN));
  const follows = (at: number) => {
    const step = (numbers[at] ?? Number.NaN) - (numbers[at - 1] ?? Number.NaN);
    return step === 0 || step === 1;
  };
  return lines.map((line, at) => (follows(at) || follows(at + 1) ? line.replace(mark, '') : line)).join('\n');
}

/** Removes the comment marker before each line. */
function withoutCommentPrefix(text: string): string {
  const lines = text.split('\n');
  const written = lines.filter((line) => line.trim() !== '');
  const mark = [/^\s*\/\/ ?/, /^\s*# ?/, /^\s*\* ?/].find((one) => written.every((line) => one.test(line)));
  return mark === undefined || written.length < 2
    ? text
    : lines.map((line) => line.replace(mark, '')).join('\n');
}
