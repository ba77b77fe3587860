// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { matchAt } from './program-values.ts';

/** A value of a program that is not in the text itself. */
export interface CodeValue {
  /** Offset after the value. */
  readonly end: number;
  readonly text: string;
  /** True if only the running program knows it. */
  readonly isUnknown: boolean;
}

const duration =
  /(?:\w{1,20}\.)?timedelta\(\s*(milliseconds|seconds|minutes|hours)\s*=\s*(\d{1,9}(?:\.\d{1,3})?)\s*\)/y;
const joinedPath = /(?:(?:os\.)?path\.)?(?:join|resolve)\(([^()\n]{1,300})\)/y;
const expressionStart = /(?:await\s+|new\s+)?[A-Za-z_$][\w$]{0,80}(?:\??\.[A-Za-z_$][\w$]{0,80}){0,8}/y;
/** Matches `Path(__file__).parent / "server.py"` in Python. */
const pathBesideFile =
  /(?:str\()?(?:pathlib\.)?Path\(__file__\)(?:\.resolve\(\))?\.parent\s*\/\s*(?:"([^"\n]{1,200})"|'([^'\n]{1,200})')\)?/y;
const programs: Readonly<Record<string, string>> = { 'sys.executable': 'python', 'process.execPath': 'node' };
const suffixes =
  /\??\.[A-Za-z_$][\w$]{0,80}|!(?!=)|\s+as\s+\w{1,40}|\s*(?:\|\||\?\?|\bor\b)\s*(?:""|''|``|"[^"\n]{0,200}"|'[^'\n]{0,200}')|\s*\?\s*(?:[\w.]{1,80}|"[^"\n]{0,200}"|'[^'\n]{0,200}')\s*:\s*(?:[\w.]{1,80}|"[^"\n]{0,200}"|'[^'\n]{0,200}')/y;
/** Nix writes an argument after the function: `lib.getExe pkgs.kite`. */
const nixArgument = /[ \t]+(?:[A-Za-z_][\w'-]{0,80}(?:\.[A-Za-z_][\w'-]{0,80}){1,6}|"[^"\n]{1,100}")/y;
const expressionEnd = /[ \t]*(?:[,;}\])+\n]|#|\/\/|--|$)/y;

/** Reads a name, a member or a call at an offset, up to the next value; undefined for anything else. */
export function codeValueAt(text: string, at: number): CodeValue | undefined {
  const time = matchAt(duration, text, at);
  if (time !== undefined)
    return { end: at + time[0].length, text: `${time[2]} ${time[1]}`, isUnknown: false };
  const path = matchAt(joinedPath, text, at);
  if (path !== undefined) return { end: at + path[0].length, text: pathOf(path[1] ?? ''), isUnknown: false };
  const file = matchAt(pathBesideFile, text, at);
  if (file !== undefined)
    return { end: at + file[0].length, text: `\${__dirname}/${file[1] ?? file[2]}`, isUnknown: false };
  const end = functionEnd(text, at);
  if (end !== undefined) return { end, text: '<function>', isUnknown: true };
  return expressionAt(text, at);
}

function expressionAt(text: string, at: number): CodeValue | undefined {
  const head = matchAt(expressionStart, text, at)?.[0];
  if (head === undefined) return undefined;
  const program = Object.hasOwn(programs, head) ? programs[head] : undefined;
  if (program !== undefined) return { end: at + head.length, text: program, isUnknown: false };
  const end = endOf(text, at + head.length, head.includes('.'));
  if (end === undefined || matchAt(expressionEnd, text, end) === undefined) return undefined;
  return { end, text: placeholderOf(text.slice(at, end)), isUnknown: true };
}

const arrow = /(?:async\s*)?(?:\([^()\n]{0,200}\)|[A-Za-z_$][\w$]{0,80})\s*=>\s*/y;

/** Returns the offset after a function that is written as a value. */
function functionEnd(text: string, at: number): number | undefined {
  const head = matchAt(arrow, text, at)?.[0];
  if (head === undefined) return undefined;
  const body = at + head.length;
  return text[body] === '{' ? closingBracket(text, body, '{', '}') : expressionAt(text, body)?.end;
}

function endOf(text: string, from: number, isMember: boolean): number | undefined {
  let at = from;
  for (let count = 0; count < maxParts; count += 1) {
    const sign = text[at];
    const next =
      sign === '(' || sign === '['
        ? closingBracket(text, at)
        : at +
          (matchAt(suffixes, text, at)?.[0].length ??
            (isMember ? matchAt(nixArgument, text, at)?.[0].length : undefined) ??
            0);
    if (next === undefined || next === at) return next;
    at = next;
  }
  return undefined;
}

const maxParts = 10;
const maxLength = 500;

/** Returns the offset after the matching bracket; undefined if the expression contains an object. */
function closingBracket(text: string, from: number, opens = '([', closes = ')]'): number | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + maxLength); at += 1) {
    const sign = text[at] ?? '';
    if ('{}'.includes(sign) && !opens.includes('{')) return undefined;
    if (opens.includes(sign)) depth += 1;
    if (closes.includes(sign)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Joins `path.join(__dirname, "server.js")` to one text. */
function pathOf(parts: string): string {
  return parts
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) =>
      /^(["'`]).*\1$/.test(part)
        ? part.slice(1, -1)
        : /dirname/.test(part)
          ? '${__dirname}'
          : placeholderOf(part),
    )
    .join('/');
}

/** Returns a placeholder named after the last meaningful name of the code. */
export function placeholderOf(code: string): string {
  const names = code
    .replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|(?<!\s)\s*\?[^?.][\s\S]*$/g, '')
    .replace(/(?<!\s)\s+as\s+\w+$|(?<!\s)\s*(?:\|\||\?\?|\bor\b)[\s\S]*$/, '')
    .replace(/\.\w+\(\)$/, '')
    .match(/[A-Za-z][\w-]+/g);
  return `<${names?.at(-1) ?? 'value'}>`;
}
