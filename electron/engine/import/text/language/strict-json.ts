import { codeValueAt, placeholderOf } from './code-values.ts';
import { JsonWriter } from './json-writer.ts';
import { insertedAt, matchAt, programVariables, variableAt } from './program-values.ts';
import { windowsPath } from './windows-paths.ts';

/**
 * Rewrites near-JSON as JSON: names without quotes or in single ones, True, None and undefined, comments of
 * any language, extra or missing commas, backslashes of Windows paths, tuples, extra closing brackets, and
 * variables of programs (`process.env.X`, `os.environ["X"]`) as `${X}`. One pass; undefined for any other
 * text. `isWrapped` says that the outermost braces are not in the text, which must then contain more than a
 * program's expression.
 */
export function strictJson(text: string, isWrapped = false): string | undefined {
  const writer = new JsonWriter(isWrapped);
  let at = 0;
  while (at < text.length) {
    const next = tokenAt(text, at, writer);
    if (next === undefined) return undefined;
    at = next;
  }
  return writer.finish();
}

const trivia = /(?:\s+|\/\/[^\n]*|--[ \t][^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)/y;
const number = /[-+]?(?:\d+(?:_\d+)*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])/y;
/** Numbers that JSON5 has and JSON has not. */
const looseNumber = /[-+]?(?:0[xX][\da-fA-F]{1,13}|\d{1,15}\.(?!\d)|(?:Infinity|NaN)\b)/y;
const word = /[A-Za-z_$][\w$-]*/y;
/** Some languages name nested members with a path: `servers.name = {…}`. */
const path = /[A-Za-z_$][\w$-]*(?:\.[\w$-]+){0,8}/y;
/** Spread members of another object: `**os.environ`, `...process.env`. */
const spreadMembers = /(?:\*\*|\.{3})[A-Za-z_][\w.]{0,80}(?:\(\))?(?=\s*[,})\]])/y;
/** An object created from one value, which is all that matters: `new URL("…")`. */
const constructorCall = /new\s+[A-Za-z_$][\w$.]{0,80}\(\s*(?=["'`{[])/y;

const luaList = /\{\s*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')\s*[,}]/y;
/** Matches `["name"] =` in Lua. */
const keyInBrackets = /\[\s*(?:"([^"\n]{1,200})"|'([^'\n]{1,200})')\s*\](?=\s*[=:])/y;
/** A call with named arguments becomes an object with them as members. */
const namedArgumentCall =
  /(?:new\s+)?[A-Za-z_][\w.]{0,80}\(\s*(?:\*{0,2}os\.environ(?:\.copy\(\))?\s*,\s*)?(?=[A-Za-z_]\w{0,60}\s*=(?!=))/y;

/** A TypeScript type assertion. */
const typeAssertion = /(?:as|satisfies)\s+[A-Za-z_][\w.]{0,80}(?:<[^<>\n]{0,80}>)?(?=\s*(?:[,;)}\]]|$))/y;
/** `True|False` is a choice; the first one is used. */
const booleanChoice = /\|\s*(?:true|True|false|False|null|None)\b/y;
const formatArguments = /(?:\.format\(([^(){}\n]{1,200})\)|%\s*(\w{1,80}))/y;

/** Passes one token to the writer and returns the offset of the next one; undefined if nothing fits. */
function tokenAt(text: string, at: number, writer: JsonWriter): number | undefined {
  const sign = text[at] ?? '';
  // Three dots mark omitted parts.
  const spread = matchAt(spreadMembers, text, at)?.[0];
  if (spread !== undefined) return at + spread.length;
  if (text.startsWith('...', at)) return at + 3;
  const wrapper = writer.afterColon || !writer.inObject ? matchAt(constructorCall, text, at)?.[0] : undefined;
  if (wrapper !== undefined) {
    writer.wrap();
    return at + wrapper.length;
  }
  if (sign === '…') return at + 1;
  const blank = matchAt(trivia, text, at);
  if (blank !== undefined) return at + blank[0].length;
  switch (sign) {
    case '{':
      // A Lua table without names is a list.
      return writer.open(matchAt(luaList, text, at) === undefined ? '{' : '[', '}') ? at + 1 : undefined;
    case '[': {
      const key = writer.inObject && !writer.afterColon ? matchAt(keyInBrackets, text, at) : undefined;
      if (key === undefined) return writer.open('[') ? at + 1 : undefined;
      writer.value(key[1] ?? key[2] ?? '', true);
      return at + key[0].length;
    }
    case '(': {
      const code = writer.allowsExpression ? codeAt(text, at, writer) : undefined;
      if (code !== undefined) return code;
      return writer.open('[', ')') ? at + 1 : undefined;
    }
    case '}':
    case ']':
      return writer.close(sign) ? at + 1 : undefined;
    case ')':
      return writer.unwrap() || writer.close(')') ? at + 1 : undefined;
    case ',':
    case ';':
      // The writer adds commas itself.
      return at + 1;
    case ':':
    case '=':
      if (!writer.hasText) return undefined;
      writer.colon();
      return at + (text[at + 1] === '>' ? 2 : 1);
    case '|': {
      const other = matchAt(booleanChoice, text, at);
      return other === undefined ? undefined : at + other[0].length;
    }
    case '+':
      if (!writer.hasText) return wordAt(text, at, writer);
      writer.isConcatenating = true;
      return at + 1;
    case '"':
    case "'":
    case '`':
      return textAt(text, at, sign, writer);
    default: {
      const type = writer.afterColon ? undefined : matchAt(typeAssertion, text, at)?.[0];
      if (type !== undefined) return at + type.length;
      const filled = writer.hasText ? matchAt(formatArguments, text, at) : undefined;
      if (filled === undefined) return wordAt(text, at, writer);
      writer.fill(placeholderOf(filled[1] ?? filled[2] ?? ''));
      return at + filled[0].length;
    }
  }
}

/** Reads a quoted text. Escapes are those of JSON; any other backslash is literal. */
function textAt(text: string, at: number, quote: string, writer: JsonWriter, kind = ''): number | undefined {
  const whole = matchAt(windowsPath, text, at + 1)?.[0];
  if (whole !== undefined && text[at + 1 + whole.length] === quote) {
    writer.value(whole, true);
    return at + 2 + whole.length;
  }
  const parts: string[] = [];
  let from = at + 1;
  for (let index = from; index < text.length; index += 1) {
    const sign = text[index];
    if (sign === quote) {
      parts.push(text.slice(from, index));
      writer.value(programVariables(parts.join(''), quote), true);
      return index + 1;
    }
    if (sign === '\n' && quote !== '`') return undefined;
    const inserted = /f/i.test(kind) ? insertedAt(text, index) : undefined;
    if (inserted !== undefined) {
      parts.push(text.slice(from, index), inserted.text);
      from = inserted.end;
      index = from - 1;
      continue;
    }
    if (sign !== '\\' || /r/i.test(kind)) continue;
    parts.push(text.slice(from, index));
    const found = escapeAt(text, index);
    parts.push(found.text);
    index = found.end - 1;
    from = found.end;
  }
  return undefined;
}

function escapeAt(text: string, at: number): { readonly text: string; readonly end: number } {
  const sign = text[at + 1] ?? '';
  const known = Object.hasOwn(escapes, sign) ? escapes[sign] : undefined;
  if (known !== undefined) return { text: known, end: at + 2 };
  const code = sign === 'u' ? /^[0-9a-fA-F]{4}/.exec(text.slice(at + 2, at + 6))?.[0] : undefined;
  if (code !== undefined) return { text: String.fromCharCode(Number.parseInt(code, 16)), end: at + 6 };
  return { text: '\\', end: at + 1 };
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '\\': '\\',
  '/': '/',
  $: '$',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '\n': '',
};

/** Reads a name, a constant, a number, or a variable of the program that the text was copied from. */
function wordAt(text: string, at: number, writer: JsonWriter): number | undefined {
  const found = variableAt(text, at);
  if (found !== undefined) {
    writer.value(found.text, true);
    return found.end;
  }
  const digits = matchAt(number, text, at)?.[0];
  if (digits !== undefined) {
    const plain = digits.replaceAll('_', '').replace(/^\+/, '');
    const isJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(plain);
    writer.value(isJson ? plain : digits, !isJson);
    return at + digits.length;
  }
  const loose = writer.afterColon || writer.inList ? matchAt(looseNumber, text, at)?.[0] : undefined;
  if (loose !== undefined) {
    const sign = loose.startsWith('-') ? -1 : 1;
    const value = sign * Number(loose.replace(/^[-+]/, ''));
    writer.value(JSON.stringify(value), false);
    return at + loose.length;
  }
  const name = matchAt(writer.inObject && !writer.afterColon ? path : word, text, at)?.[0];
  if (name === undefined) return undefined;
  const end = at + name.length;
  const next = text[end];
  if (/^[rRuUfFbB]{1,2}$/.test(name) && (next === '"' || next === "'")) {
    return textAt(text, end, next, writer, name);
  }
  const constant = Object.hasOwn(constants, name) ? constants[name] : undefined;
  if (constant !== undefined && (writer.afterColon || !writer.inObject)) {
    writer.value(constant, false);
    return end;
  }
  const code = writer.allowsExpression ? codeAt(text, at, writer) : undefined;
  if (code !== undefined) return code;
  if (writer.allowsShorthand(name) && !writer.afterColon && /^\s*[,}]/.test(text.slice(end, end + 20))) {
    writer.value(name, true);
    writer.colon();
    writer.value(placeholderOf(name), true);
    return end;
  }
  // A bare word is a name; as a value it would be a guess.
  if (writer.afterColon || !/^\s*(?:[:=]|\?\s*:)/.test(text.slice(end, end + 20))) return undefined;
  writer.value(name, true);
  return end;
}

/** Reads a value that only the program knows: asks for it if it matters. */
function codeAt(text: string, at: number, writer: JsonWriter): number | undefined {
  const code = codeValueAt(text, at);
  if (code !== undefined && !code.isUnknown) {
    writer.value(code.text, true);
    return code.end;
  }
  const call = matchAt(namedArgumentCall, text, at)?.[0];
  if (call !== undefined) return writer.open('{', ')') ? at + call.length : undefined;
  if (code === undefined) return undefined;
  const written = text.slice(at, code.end);
  if (writer.isProgram && /^[a-z\d]+$/.test(written)) return undefined;
  const isText = writer.isWorthAsking;
  // A long token without quotes is not a name in a program.
  if (isText && /^\w{20,300}$/.test(written) && /\d\D*\d\D*\d/.test(written)) {
    writer.value(written, true);
    return code.end;
  }
  if (!isText && writer.isOutermost) return undefined;
  writer.value(isText ? code.text : 'null', isText);
  return code.end;
}

const constants: Readonly<Record<string, string>> = {
  true: 'true',
  True: 'true',
  TRUE: 'true',
  false: 'false',
  False: 'false',
  FALSE: 'false',
  null: 'null',
  None: 'null',
  NULL: 'null',
  nil: 'null',
  undefined: 'null',
};
