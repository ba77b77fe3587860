import { withoutPrompt } from './prompts.ts';
import { assignment, localVariable, substituted, withOwnVariables } from './shell-variables.ts';

/** One command as a shell would run it: its words, its variables and its folder. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

/**
 * Returns the commands in instructions, for any shell: without prompts, with continued lines joined, and with
 * the variables set before or beside each. Takes linear time.
 */
export function shellCommands(text: string): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  const local = new Map<string, string>();
  /** Variables that were set but not exported: once a line uses their value, they are no longer needed. */
  const unexported = new Set<string>();
  let exported: Readonly<Record<string, string>> = {};
  let cwd: string | undefined;
  for (const line of logicalLines(text)) {
    for (const written of splitCommands(line)) {
      const own = localVariable(written);
      if (own !== undefined) {
        local.set(...own);
        continue;
      }
      const used = new Set<string>();
      const part = written.map((word) => substituted(word, local, used));
      const set = assignment(part);
      if (set !== undefined) {
        exported = { ...exported, ...set };
        for (const [name, value] of Object.entries(set)) local.set(name, value);
        continue;
      }
      const { words, env } = withOwnVariables(part);
      if (words.length === 0) {
        exported = { ...exported, ...env };
        for (const [name, value] of Object.entries(env)) {
          local.set(name, value);
          unexported.add(name);
        }
      } else if (/^(?:cd|pushd|chdir)$/i.test(words[0] ?? '')) {
        const folder = words.filter((word) => !/^\/d$/i.test(word))[1];
        cwd =
          folder === undefined || isAbsolute(folder)
            ? folder
            : `<path to ${folder.replace(/^\.[\\/]|^path[\\/]to[\\/]|[\\/]$/g, '')}>`;
      } else {
        const kept = Object.entries(exported).filter(([name]) => !(unexported.has(name) && used.has(name)));
        commands.push({ words: withoutBlockEnd(words), env: { ...Object.fromEntries(kept), ...env }, cwd });
      }
    }
  }
  return commands;
}

/** Removes the end of a block whose start is not part of the command: `do { npx server }`. */
function withoutBlockEnd(words: readonly string[]): readonly string[] {
  const [end = ''] = words.slice(-1);
  const start = { '}': '{', ')': '(' }[end];
  return start === undefined || words.some((word) => word.startsWith(start)) ? words : words.slice(0, -1);
}

/** A relative folder depends on the user's current folder. */
function isAbsolute(folder: string): boolean {
  return /^(?:[/~]|[A-Za-z]:[\\/]|\$)/.test(folder);
}

/** Maximum number of lines to join: an unclosed quote belongs to its line. */
const maxJoinedLines = 200;

/** Returns lines without prompts and comments, with continued ones joined. */
function logicalLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const logical: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const first = withoutRemark(withoutPrompt(lines[at] ?? ''));
    if (first === '' || isComment(first)) continue;
    const parts = [first];
    while (continuationMark.test((parts.at(-1) ?? '').slice(-40)) && at + 1 < lines.length) {
      at = continuedAt(lines, at + 1);
      const last = (parts.pop() ?? '').replace(/[\\^`]\s*$/, '');
      parts.push(last, withoutRemark(withoutContinuation(lines[at] ?? '')));
    }
    let line = parts.join(' ');
    if (/\bmcp\b/.test(line) && /['"]\s*[{[]/.test(line)) {
      const joined = joinQuoted(line, lines, at + 1);
      line = joined.line;
      at = joined.next - 1;
    }
    logical.push(line);
  }
  return logical;
}

/** Matches a continuation mark at the end of a line. */
const continuationMark = /(?:^|\s)[\\^`]\s*$|\\\s*$/;

/** Removes a comment after the continuation mark. */
function withoutRemark(line: string): string {
  return line.replace(/(\s[\\^`])[ \t]{1,20}#.*$/, '$1');
}

/**
 * Returns the line where a command continues: skips comments, and empty lines before an indented part or
 * option.
 */
function continuedAt(lines: readonly string[], from: number): number {
  let at = from;
  let isApart = false;
  for (; at < lines.length - 1 && /^\s*(?:#|$)/.test(lines[at] ?? ''); at += 1)
    isApart ||= (lines[at] ?? '').trim() === '';
  return isApart && !/^(?:\s|-)\s*\S/.test(lines[at] ?? '') ? from : at;
}

/** Joins a quoted JSON text of several lines. */
function joinQuoted(
  line: string,
  lines: readonly string[],
  from: number,
): { readonly line: string; readonly next: number } {
  const quote = /(['"])\s*[{[]/.exec(line)?.[1] ?? "'";
  const count = (text: string) => text.replaceAll(`\\${quote}`, '').split(quote).length - 1;
  let total = count(line);
  if (total % 2 === 0) return { line, next: from };
  const parts = [line];
  for (let at = from; at < Math.min(lines.length, from + maxJoinedLines); at += 1) {
    const next = lines[at] ?? '';
    parts.push(next);
    total += count(next);
    if (total % 2 === 0) return { line: parts.join('\n'), next: at + 1 };
  }
  return { line, next: from };
}

function withoutContinuation(line: string): string {
  return line.trim().replace(/^>+\s*/, '');
}

function isComment(line: string): boolean {
  return /^(?:#|\/\/|::|rem\b|```|~~~|--\s)/i.test(line);
}

/** Returns the commands of one line, each as words, without redirections. */
function splitCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let isCut = false;
  for (const word of tokenizeLine(line)) {
    if (word.kind === 'end') {
      commands.push([]);
      isCut = false;
    } else if (word.kind === 'cut') isCut = true;
    else if (!isCut && word.kind === 'word') commands.at(-1)?.push(word.text);
  }
  return commands.filter((words) => words.length > 0);
}

type Word = { readonly kind: 'word'; readonly text: string } | { readonly kind: 'end' | 'cut' };

/**
 * Splits a line as a shell would. A backslash only escapes quotes and whitespace, so that Windows paths stay
 * intact; an unmatched quote is a letter.
 */
function tokenizeLine(line: string): readonly Word[] {
  const words: Word[] = [];
  let text: string | undefined;
  const end = () => {
    if (text !== undefined) words.push({ kind: 'word', text });
    text = undefined;
  };
  const lone = new Set<string>();
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? '';
    const next = line[at + 1] ?? '';
    const spoken =
      sign === '<' ? placeholder.exec(line.slice(at, at + maxPlaceholderLength))?.[0] : undefined;
    if (spoken !== undefined) {
      text = (text ?? '') + spoken;
      at += spoken.length - 1;
    } else if (
      sign === '[' &&
      text === undefined &&
      optionalPart.test(line.slice(at, at + maxPlaceholderLength))
    )
      at += optionalPart.exec(line.slice(at, at + maxPlaceholderLength))?.[0].length ?? 0;
    else if (/\s/.test(sign)) end();
    else if (sign === '$' && next === '(' && !lone.has(sign)) {
      const close = closingBracket(line, at + 1);
      if (close === undefined) lone.add(sign);
      text = (text ?? '') + line.slice(at, (close ?? at) + 1);
      at = close ?? at;
    } else if ((sign === "'" || sign === '"') && !lone.has(sign)) {
      const close = closingQuote(line, at, sign);
      if (close === undefined) {
        lone.add(sign);
        text = (text ?? '') + sign;
        continue;
      }
      text = (text ?? '') + unquoted(line.slice(at + 1, close), sign);
      at = close;
    } else if (
      (sign === '\\' && /[\s"'$`&|;<>(){}]/.test(next)) ||
      (/[`^]/.test(sign) && /["'&|<>`$]/.test(next))
    ) {
      text = (text ?? '') + next;
      at += 1;
    } else if (sign === '#' && text === undefined) break;
    else if (sign === '&' && text === undefined && /\s/.test(next) && isStart(words)) continue;
    else if (
      sign === ';' ||
      (sign === '&' && (next === '' || /[&\s]/.test(next))) ||
      (sign === '|' && next === '|')
    ) {
      end();
      words.push({ kind: 'end' });
      if (next === sign && sign !== ';') at += 1;
    } else if (sign === '|' || (sign === '>' && text !== '<' && !text?.includes('<'))) {
      if (/^\d$/.test(text ?? '')) text = undefined;
      end();
      words.push({ kind: 'cut' });
    } else text = (text ?? '') + sign;
  }
  end();
  return words;
}

/** PowerShell's call operator at the start of a command. */
function isStart(words: readonly Word[]): boolean {
  const last = words.at(-1);
  return last === undefined || last.kind === 'end';
}

/** Several words between angle brackets are one placeholder. */
const placeholder = /^<[A-Za-z][\w.'-]*(?:[ |][\w.'-]+){1,8}>/;
/** Manuals put optional parts in square brackets. */
const optionalPart =
  /^\[(?:--?[A-Za-z][^[\]\n]{0,80}|[\w.-]{1,40}(?:\s?\|\s?[\w.-]{1,40}){1,8}|(?:options?|flags|args|arguments)(?:\.{3})?)\](?:\.{3})?(?=\s|$)/i;
const maxPlaceholderLength = 120;

/** Finds the closing bracket of a command substitution. */
function closingBracket(line: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '(') depth += 1;
    if (line[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function closingQuote(line: string, at: number, quote: string): number | undefined {
  for (let index = at + 1; index < line.length; index += 1) {
    if (line[index] === quote) return index;
    if (quote === '"' && (line[index] === '\\' || line[index] === '`')) {
      // The last backslash of a Windows folder escapes nothing.
      const isLast =
        line[index + 1] === '"' &&
        (index + 2 >= line.length || line[index + 2] === ' ') &&
        !line.slice(index + 2).includes('"');
      if (!isLast) index += 1;
    }
  }
  return undefined;
}

function unquoted(text: string, quote: string): string {
  return quote === "'" ? text : text.replace(/\\(["\\$`])|`(["$`])/g, '$1$2');
}
