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
 * - `${NAME:-default}`: the default, itself expanded, if the variable is unset or empty; `${NAME-default}`, if unset
 * - `${env.NAME}`, `${env://NAME}`, `${process.env.NAME}`, `{env:NAME}`, `{env.NAME}`, `${NAME:?text}` of other programs
 * - `${secret:NAME}` if there is a vault
 * - `%NAME%` on Windows, if it is set
 * - `$$` before a name or a brace stands for one dollar sign: `$$HOME` gives `$HOME`
 *
 * Everything else stays as it is: `$5`, `$(date)`, `a$`, `${#x}`. References of other programs that cannot be resolved
 * here (`${input:id}`, `{file:path}`, `${{ secrets.X }}`, and `${secret:NAME}` without a vault) count as missing,
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
const braced =
  /\$\{(?:(?:(?:process\.|import\.meta\.)?env[.:](?:\/\/)?|ENV[.:])([A-Za-z_][A-Za-z0-9_()]*)|([A-Za-z_][A-Za-z0-9_]*))(\}|:?\?|:?-)/y;
const dollarless = /(?<![${])\{(?:(?:env|ENV)[:.]([A-Za-z_][A-Za-z0-9_]*)|((?:file|FILE):[^{}\n]{1,300}))\}/y;
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
    const sign = text[index];
    if (sign === '$' || sign === '{' || (percentToo && sign === '%')) return index;
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
  const bare = match(dollarless);
  if (bare?.[2] !== undefined) return missingPart(bare[0], bare[2], start, run);
  if (bare) return requiredPart(bare[0], bare[1] ?? '', start, run);
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
  if (match[3] === '}') return requiredPart(match[0], name, start, run);
  const close = depth < maxDepth ? closingBrace(text, after) : undefined;
  if (close === undefined) return { value: '$', end: start + 1 };
  if (match[3]?.endsWith('?')) return requiredPart(text.slice(start, close + 1), name, start, run);
  const isSet = found !== undefined && (found !== '' || match[3] === '-');
  return replacedPart(
    name,
    isSet ? found : expandParts(text.slice(after, close), run, depth + 1),
    close + 1,
    run,
  );
}

function requiredPart(source: string, name: string, start: number, run: ExpansionRun): Part {
  const found = run.scope.get(name);
  return found === undefined
    ? missingPart(source, name, start, run)
    : replacedPart(name, found, start + source.length, run);
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

/**
 * Returns a text that is another language's way to name a variable as a reference, also after a scheme:
 * `Bearer process.env.TOKEN`; also `%NAME%` of a variable that is set. Everything else is returned as it is.
 */
export function withReference(text: string, { get }: Scope): string {
  const [, scheme = '', name = ''] = namedVariable('([A-Za-z_]\\w{0,100})').exec(text) ?? [];
  if (name !== '') return `${scheme}$\{${name}}`;
  const [, before = '', shell = ''] = /^((?:[A-Za-z]+\s+)?)%([A-Za-z_]\w{0,100})%$/.exec(text) ?? [];
  return get(shell) === undefined ? text : `${before}$\{${shell}}`;
}

/** Returns a pattern of all references to one variable; its groups are the scheme before it, if any. */
export function variableForms(name: string): RegExp {
  const plainName = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const forms = [
    namedVariable(plainName).source,
    `(?<!\\$)\\$\\{(?:(?:process\\.|import\\.meta\\.)?env[.:](?:\\/\\/)?|ENV[.:])?${plainName}(?::?\\?[^{}]*)?\\}`,
    `(?<!\\$)\\$${plainName}(?![A-Za-z0-9_:])`,
    `(?<![$\\{])\\{(?:env|ENV)[:.]${plainName}\\}`,
    `^((?:\\w+\\s+)?)%${plainName}%$`,
  ];
  return new RegExp(forms.join('|'), 'g');
}

function namedVariable(name: string): RegExp {
  const prefixes = ['@?env:', '\\$env:', '(?:process|import\\.meta)\\.env\\.'].join('|');
  const calls = [
    'os\\.environ\\[',
    'process\\.env\\[',
    'ENV\\[',
    'os\\.getenv\\(',
    'os\\.environ\\.get\\(',
  ].join('|');
  return new RegExp(
    `^((?:[A-Za-z]+\\s+)?)(?:(?:${prefixes})(?=\\w+$)|(?:${calls})["'](?=\\w+["'][\\])]$))${name}(?:["'][\\])])?$`,
  );
}

/** A sticky pattern stores a position, so each call uses a copy. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = at;
  return sticky.exec(text);
}
