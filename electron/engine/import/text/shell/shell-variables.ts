/**
 * Returns a placeholder for a value that PowerShell computes: a command, a term in brackets, or more than one
 * word.
 */
function powerShellValue(name: string, words: readonly string[]): string {
  const [value = '', ...more] = words;
  return more.length > 0 || /^[([@]/.test(value) ? `<${name}>` : value;
}

/** Reads `$name = "value"`, a local variable of PowerShell. */
export function localVariable(words: readonly string[]): readonly [string, string] | undefined {
  const [first = '', ...rest] = words;
  const [, name, inline] = /^\$([A-Za-z_]\w*)(?:=(.*))?$/s.exec(first) ?? [];
  if (name === undefined) return undefined;
  if (inline === undefined && rest[0] !== '=') return undefined;
  const value = inline === undefined ? rest.slice(1) : [inline, ...rest];
  return value.length === 0 ? undefined : [name, powerShellValue(name, value)];
}

/** Substitutes variables that earlier lines have set; values with quotes would break JSON. */
export function substituted(word: string, set: ReadonlyMap<string, string>, used: Set<string>): string {
  if (set.size === 0 || !word.includes('$')) return word;
  return word.replace(/\$(?:\{([A-Za-z_]\w*)\}|(?:env:)?([A-Za-z_]\w*))/gi, (whole, braced, plain) => {
    const name = String(braced ?? plain);
    const value = set.get(name);
    if (value === undefined || value === '' || /["\\\n]/.test(value)) return whole;
    used.add(name);
    return value;
  });
}

/** Reads `export A=b`, `set A=b`, `setx A b`, `$env:A = "b"`; undefined for anything else. */
export function assignment(words: readonly string[]): Readonly<Record<string, string>> | undefined {
  const [first = '', ...rest] = words;
  const shell = /^\$env[:.]([A-Za-z_]\w*)(?:=(.*))?$/is.exec(first);
  if (shell?.[1] !== undefined) {
    const [sign = '', ...words] = rest;
    const begin = shell[2] ?? (sign === '=' ? undefined : sign.replace(/^=/, ''));
    const value = shell[2] === undefined ? words : rest;
    // An appended value is not the whole variable.
    if (begin?.endsWith('+=')) return {};
    return { [shell[1]]: powerShellValue(shell[1], begin === undefined ? value : [begin, ...value]) };
  }
  if (/^setx$/i.test(first) && rest[0] !== undefined) return { [rest[0]]: rest[1] ?? '' };
  if (!/^(?:export|set|declare|setenv)$/i.test(first)) return undefined;
  if (/^setenv$/i.test(first) && rest[0] !== undefined) return { [rest[0]]: rest[1] ?? '' };
  // The fish shell separates the value with a space.
  if (/^set$/i.test(first) && /^-\w*x/.test(rest[0] ?? '') && rest[1] !== undefined)
    return { [rest[1]]: rest.slice(2).join(' ') };
  const line = /^set$/i.test(first) ? [rest.join(' ')] : rest.filter((word) => !/^-\w$/.test(word));
  return Object.fromEntries(line.flatMap((word) => pair(word) ?? []));
}

function pair(word: string): readonly [readonly [string, string]] | undefined {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
  return name === undefined || value === undefined ? undefined : [[name, value]];
}

/** Reads `A=b command`, `env A=b command`, `cross-env A=b command`, and skips prefixes such as sudo. */
export function withOwnVariables(words: readonly string[]): {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  const env: Record<string, string> = {};
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [found] = pair(word) ?? [];
    if (found !== undefined) env[found[0]] = found[1];
    else if (!/^(?:sudo|env|cross-env|exec|nohup|time|call|start|and|&|-E|\(|\{)$/.test(word)) break;
  }
  return { words: words.slice(at), env };
}
