/** The lookup functions for expanding a text. */
export interface Scope {
  /** Returns the value of a variable; undefined if it is not set. */
  readonly get: (name: string) => string | undefined;
  /** True if `%NAME%` is a reference, as on Windows. */
  readonly percent: boolean;
  /** Returns the value of `${secret:NAME}`; without it such a reference belongs to another program. */
  readonly secret?: (name: string) => string | undefined;
  /** Called for each reference that was replaced (`NAME`, `secret:NAME`), with its value or default. */
  readonly used?: (name: string, value: string) => void;
}

/** A text with its references replaced; the lists name, once each, those that could not be. */
export interface Expansion {
  readonly value: string;
  /** References that need a value and have none. They stay unreplaced in `value`. */
  readonly missing: readonly string[];
  /** `$name` in lower case without a value: left as written, since scripts and passwords look like that. */
  readonly unresolved: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks up names in an environment; on Windows the case is ignored. */
export function scopeOf(env: Environment, platform: NodeJS.Platform): Scope {
  const own = (name: string) => (Object.hasOwn(env, name) ? env[name] : undefined);
  if (platform !== 'win32') return { get: own, percent: false };
  const byUpper = new Map(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
  return { get: (name) => own(name) ?? byUpper.get(name.toUpperCase()), percent: true };
}

/**
 * Replaces the references of a text:
 *
 * - `${NAME}`, `${env:NAME}` and `$NAME`; a value is not expanded again
 * - `${NAME:-default}`: the default, itself expanded, if the variable is unset or empty
 * - `${secret:NAME}` if there is a vault
 * - `%NAME%` on Windows, if it is set
 * - `$$` before a name or a brace stands for one dollar sign: `$$HOME` gives `$HOME`
 *
 * Everything else stays as it is: `$5`, `$(date)`, `a$`, `${#x}`. References of other programs that cannot be resolved
 * here (`${input:id}`, `${workspaceFolder}`, `${{ secrets.X }}`, and `${secret:NAME}` without a vault) count as missing,
 * so that no server ever gets one as a value. Accepts any text.
 */
export function expandText(text: string, scope: Scope): Expansion {
  const missing = new Set<string>();
  const kept = new Set<string>();
  const value = expandParts(text, { scope, missing, kept }, 0);
  return { value, missing: [...missing], unresolved: [...kept] };
}

interface ExpansionRun {
  readonly scope: Scope;
  readonly missing: Set<string>;
  readonly kept: Set<string>;
}

const escaped = /\$(?=\$[A-Za-z_{])/y;
const braced = /\$\{(?:env:([A-Za-z_][A-Za-z0-9_()]*)|([A-Za-z_][A-Za-z0-9_]*))(\}|:-)/y;
const foreign = /\$\{((?:input|secret|file|command|config|workspaceFolder):[^{}]*|\{[^{}]*\})\}/y;
const plain = /\$(?=_*[A-Za-z])([A-Za-z_][A-Za-z0-9_]*)/y;
const percent = /%([A-Za-z_][A-Za-z0-9_()]*)%/y;

/** Deeper defaults are left as written. */
const maxDepth = 32;

function expandParts(text: string, run: ExpansionRun, depth: number): string {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = nextSign(text, at, run.scope.percent);
    parts.push(text.slice(at, start));
    if (start === text.length) break;
    const part = referenceAt(text, start, run, depth);
    parts.push(part.value);
    at = part.end;
  }
  return parts.join('');
}

function nextSign(text: string, from: number, percentToo: boolean): number {
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === '$' || (percentToo && text[index] === '%')) return index;
  }
  return text.length;
}

interface Part {
  readonly value: string;
  readonly end: number;
}

function referenceAt(text: string, start: number, run: ExpansionRun, depth: number): Part {
  const match = (pattern: RegExp) => matchAt(pattern, text, start);
  if (match(escaped)) return { value: '$', end: start + 2 };
  const brace = match(braced);
  if (brace) return bracedPart(text, brace, start, run, depth);
  const other = match(foreign);
  if (other) return foreignPart(other[0], other[1] ?? '', start, run);
  const name = match(plain);
  if (name) return plainPart(name[0], name[1] ?? '', start, run);
  const shell = run.scope.percent ? match(percent) : null;
  const found = shell ? run.scope.get(shell[1] ?? '') : undefined;
  if (shell && found !== undefined) return replacedPart(shell[1] ?? '', found, start + shell[0].length, run);
  return { value: text[start] ?? '', end: start + 1 };
}

function foreignPart(source: string, name: string, start: number, run: ExpansionRun): Part {
  const found = name.startsWith(secretPrefix)
    ? run.scope.secret?.(name.slice(secretPrefix.length))
    : undefined;
  if (found === undefined) return missingPart(source, name, start, run);
  return replacedPart(name, found, start + source.length, run);
}

/** Prefix of secret names in lists that also hold variable names. */
export const secretPrefix = 'secret:';

function bracedPart(
  text: string,
  match: RegExpExecArray,
  start: number,
  run: ExpansionRun,
  depth: number,
): Part {
  const name = match[1] ?? match[2] ?? '';
  const found = run.scope.get(name);
  const after = start + match[0].length;
  if (match[3] === '}') {
    return found === undefined
      ? missingPart(match[0], name, start, run)
      : replacedPart(name, found, after, run);
  }
  const close = depth < maxDepth ? closingBrace(text, after) : undefined;
  if (close === undefined) return { value: '$', end: start + 1 };
  const isSet = found !== undefined && found !== '';
  return replacedPart(
    name,
    isSet ? found : expandParts(text.slice(after, close), run, depth + 1),
    close + 1,
    run,
  );
}

function replacedPart(name: string, value: string, end: number, run: ExpansionRun): Part {
  run.scope.used?.(name, value);
  return { value, end };
}

function missingPart(source: string, name: string, start: number, run: ExpansionRun): Part {
  run.missing.add(name);
  return { value: source, end: start + source.length };
}

function plainPart(source: string, name: string, start: number, run: ExpansionRun): Part {
  const found = run.scope.get(name);
  const end = start + source.length;
  if (found !== undefined) return replacedPart(name, found, end, run);
  (/[a-z]/.test(name) ? run.kept : run.missing).add(name);
  return { value: source, end };
}

/** Maximum length of a default; anything longer is text that happens to look like one. */
const maxDefault = 8192;

/** Finds the brace that ends a default, skipping nested `${…}`. */
function closingBrace(text: string, from: number): number | undefined {
  const end = Math.min(text.length, from + maxDefault);
  let open = 1;
  for (let index = from; index < end; index += 1) {
    if (text.startsWith('${', index)) open += 1;
    if (text[index] === '}') open -= 1;
    if (open === 0) return index;
  }
  return undefined;
}

/** A sticky pattern stores a position, so each call uses a copy. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = at;
  return sticky.exec(text);
}
