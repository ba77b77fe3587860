/** A part of a program's text in our form, with its end. */
interface ReadValue {
  readonly text: string;
  readonly end: number;
}

const variable =
  /(?:process\.env|import\.meta\.env|Bun\.env|os\.environ|ENV|env)(?:\??\.(?!get\b)([A-Za-z_]\w*)|\[\s*["'`]([^"'`\]\n]{1,200})["'`]\s*\])!?/y;
const call =
  /(?:os\.environ\.get|os\.getenv|Deno\.env\.get|getenv|env)\(\s*["'`]([^"'`)\n]{1,200})["'`][^)\n]{0,200}\)!?/y;
/** Suffixes of a value that do not change it. */
const suffix = /\s*(?:as\s+\w+|(?:\|\||\?\?|or)\s*(?:""|''|``|"[^"\n]*"|'[^'\n]*'))/y;

/** Reads an environment variable as programs write it. */
export function variableAt(text: string, at: number): ReadValue | undefined {
  const found = matchAt(call, text, at) ?? matchAt(variable, text, at);
  if (found === undefined) return undefined;
  const end = at + found[0].length;
  const more = matchAt(suffix, text, end)?.[0].length ?? 0;
  return { text: `\${${found[1] ?? found[2]}}`, end: end + more };
}

/** Matches a value inserted into a Python f-string, or a doubled brace. */
const insertion = /\{\{|\}\}|\{[^{}\n]{1,200}\}/y;

/** Turns an environment variable into our reference, any other value into a placeholder. */
export function insertedAt(text: string, at: number): ReadValue | undefined {
  const whole = matchAt(insertion, text, at)?.[0];
  if (whole === undefined) return undefined;
  const end = at + whole.length;
  if (whole.length === 2) return { text: whole.slice(1), end };
  const inner = whole.slice(1, -1).trim();
  const name = /(?<!\w)([A-Za-z_]\w+)["'()\]]{0,4}(?:![rsa])?$/.exec(inner)?.[1] ?? 'value';
  return { text: variableAt(inner, 0)?.text ?? `<${name}>`, end };
}

/** `${process.env.X}` in a template is the variable itself. */
export function programVariables(text: string, quote: string): string {
  if (quote !== '`') return text;
  return text.replace(
    /\$\{\s*(?:process\.env|import\.meta\.env|env)\.(\w+)!?\s*\}/g,
    (_, name) => `\${${name}}`,
  );
}

/** Matches a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
