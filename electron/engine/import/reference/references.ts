import { basename } from 'node:path';
import { isRecord } from '../../../../shared/json.ts';
import type { ImportInput } from '../../../../shared/model/import/import-session.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import type { Path } from '../../config/jsonc/tree.ts';
import type { Entry } from '../found.ts';
import { type InputCollector, passwordInput, textInput } from './input-collector.ts';
import { mapEntry } from './map-texts.ts';
import { type Placeholder, placeholdersIn } from './placeholders.ts';
import { foreignReferences, type ReferenceGroups, withoutPrefix } from './reference-forms.ts';
import { escapeShellVariables, shellOptions } from './shell-script.ts';

/** How a program reads the texts of its entries, and where they come from. */
export interface ReferenceContext {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if `$NAME` is a reference there, rather than plain text. */
  readonly dollar: boolean;
  /** Inputs that the source itself describes, by id. */
  readonly declared: ReadonlyMap<string, ImportInput>;
  /** The likely value of `${workspaceFolder}`. */
  readonly workspace?: string | undefined;
}

/**
 * Rewrites the references of an entry for our config. Values that must be asked for become tokens of inputs:
 *
 * - `${env:X}`, `${X}` and `${X:-default}` mean the same here; `$X` only if the program expands it
 * - `{env:X}`, `$env:X`, `env:X`, `process.env.X`, `os.environ["X"]`, `os.getenv("X")`, `${{ env.X }}` become `${X}`
 * - In a script, variables of its shell stay as they are
 * - `${userHome}`, `${HOME}`, `${pathSeparator}`, `${/}` and, if the variable is known, `%X%` are rewritten
 * - `${input:id}`, `${workspaceFolder}`, `${file:…}`, `{file:…}`, `${command:…}`, `${config:…}`, `$(…)`, `{cmd:…}`,
 *   `!…`, `op://…`, `${{ secrets.X }}`, other `%X%`, and placeholders of instructions are asked for
 */
export function readReferences(
  entry: Entry,
  key: string,
  context: ReferenceContext,
  inputs: InputCollector,
): Entry {
  const words = [entry.command, ...(Array.isArray(entry.args) ? entry.args.flat() : [])].map(wordOf);
  const own = new Set(Object.keys(isRecord(entry.env) ? entry.env : {}));
  return mapEntry(entry, (text, path) => {
    if (!mayHoldReferences(path) || text.length > maxTextLength) return text;
    const index = path[0] === 'args' ? Number(path[1]) : 0;
    const before = index === 0 ? '' : (words[index] ?? '');
    const options = shellOptions(path[0] === 'args' ? words.slice(Math.max(0, index - 8), index + 1) : []);
    const place: TextPosition = { path, key, context, inputs, ownVariables: own, shell: options };
    return replacePlaceholders(text, before, place)
      .map((part) => (part.isToken ? part.text : rewriteReferences(part.text, place)))
      .join('');
  });
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Longer texts are documents. */
const maxTextLength = 20_000;

/** Options and descriptions contain no references, except those of a client that was registered by hand. */
function mayHoldReferences([field, group, option]: Path): boolean {
  if (field === 'patchbay') return group === 'oauth' && ['clientId', 'clientSecret'].includes(String(option));
  return ['command', 'args', 'env', 'headers', 'url', 'cwd', 'envFile'].includes(String(field));
}

function rewriteReferences(text: string, place: TextPosition): string {
  return escapeNonReferences(text, place).replace(foreignReferences, (token, ...groups) => {
    const found = groups.at(-1) as ReferenceGroups;
    const [at, whole] = [Number(groups.at(-3)), String(groups.at(-2))];
    // Two dollar signs stand for one.
    if (token.startsWith('$') && whole[at - 1] === '$') return token;
    const variable =
      found.template ??
      found.must ??
      found.bare ??
      found.brace ??
      found.shell ??
      found.program ??
      found.index ??
      found.call ??
      found.dotted ??
      found.actions;
    if (variable !== undefined) return `\${${variable}}`;
    if (found.launcher !== undefined) return found.launcher;
    if (found.percent !== undefined) return percentReference(token, found.percent, place);
    const secret = found.secret ?? found.copilot;
    if (secret !== undefined) {
      const title = withoutPrefix(secret);
      return askFor(passwordInput(`secret:${title}`, title), token, place);
    }
    if (found.setting !== undefined) {
      const title = withoutPrefix(found.setting);
      return askFor(nameInput(`setting:${title}`, place, undefined, title), token, place);
    }
    if (found.vault !== undefined) {
      const title = found.vault.split('/').filter(Boolean).slice(-2).join(' ');
      return askFor(
        passwordInput(`vault:${found.vault}`, title, `It is stored in 1Password as ${token}.`),
        token,
        place,
      );
    }
    if (found.folder !== undefined) {
      const description = 'The folder where the program is installed.';
      return askFor(
        textInput('programFolder', 'Program folder', { kind: 'folder', description }),
        token,
        place,
      );
    }
    if (found.other !== undefined) return otherReference(token, found.other, found.rest ?? '', place);
    if (found.path !== undefined) return fileReference(token, found.path, place);
    if (found.run !== undefined) {
      if (place.shell !== undefined) return token;
      const command = token.replace(/^(?:\{\w+:|[`!])|[`}]$/g, '');
      return askFor(nameInput(`output:${command}`, place, `Replaces ${token}.`), token, place);
    }
    if (found.output !== undefined) {
      if (place.shell !== undefined) return token;
      if (found.output === 'pwd') return askFor(workspaceInput(place.context), token, place);
      return askFor(nameInput(`output:${found.output}`, place, `Replaces ${token}.`), token, place);
    }
    return namedReference(token, found.what ?? '', found.name ?? '', place);
  });
}

/** Escapes dollar signs that are not references. */
function escapeNonReferences(text: string, { context, ownVariables, shell }: TextPosition): string {
  const plain = context.dollar ? text : text.replace(/(?<!\$)\$+(?=[A-Za-z_])(?!env:)/gi, '$&$$');
  return shell === undefined ? plain : escapeShellVariables(plain, ownVariables, shell);
}

/** Returns the home folder as a reference in our config. */
export function homeReference(platform: NodeJS.Platform): string {
  return `\${${platform === 'win32' ? 'USERPROFILE' : 'HOME'}}`;
}

interface TextPosition {
  readonly path: Path;
  readonly key: string;
  readonly context: ReferenceContext;
  readonly inputs: InputCollector;
  /** Names of the variables that the entry sets. */
  readonly ownVariables: ReadonlySet<string>;
  /** Options of the shell, if the text is its script. */
  readonly shell: readonly string[] | undefined;
}

/** Adds an input, and returns its token, in a form that our config reads as a reference. */
function askFor(
  input: ImportInput,
  written: string,
  { inputs }: TextPosition,
  of?: (typed: string) => string,
): string {
  const token = written.startsWith('${') ? written : `\${input:${input.id.replace(/[^\w.:-]+/g, '-')}}`;
  inputs.add(input, of === undefined ? { text: token } : { text: token, of });
  return token;
}

interface Part {
  readonly text: string;
  readonly isToken: boolean;
}

/** Replaces each placeholder with the token of its own input; the rest stays unchanged. */
function replacePlaceholders(text: string, before: string, place: TextPosition): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const placeholder of placeholdersIn(text, place.path, before)) {
    const written = text.slice(placeholder.from, placeholder.to);
    parts.push({ text: text.slice(from, placeholder.from), isToken: false });
    parts.push({ text: placeholderToken(placeholder, written, place), isToken: true });
    from = placeholder.to;
  }
  return [...parts, { text: text.slice(from), isToken: false }];
}

function placeholderToken(
  { words, names }: Placeholder,
  written: string,
  { key, inputs }: TextPosition,
): string {
  const isGeneric =
    /^(?:value|api[-_ ]?key|key|token|access[-_ ]?token|secret|password|username|user|id|name|url|authorization|[^A-Za-z]*)$/i.test(
      words,
    );
  const title =
    isGeneric && key !== '' ? `${key} ${words.toLowerCase() === 'authorization' ? 'token' : words}` : words;
  const isSecret =
    [written, ...names].some(isSecretName) ||
    /^(?:sk|pk|rk|gh[pousr]|github_pat|glpat|xox[a-z]|hf|pat)[-_]/i.test(written);
  const id = `fill:${title}`;
  const token = `\${input:${id.replace(/[^\w.:-]+/g, '-')}}`;
  const description = written.trim() === '' ? undefined : `Replaces ${written}.`;
  const isNumber = /(?:^|[-_ ])port$/i.test(words);
  inputs.add(
    isSecret
      ? passwordInput(id, title, description)
      : textInput(id, title, {
          ...(isNumber ? { kind: 'number' as const } : {}),
          ...(description === undefined ? {} : { description }),
        }),
    { text: token },
  );
  return token;
}

function fileReference(token: string, name: string, place: TextPosition): string {
  const file = basename(name.replaceAll('\\', '/'));
  return askFor(passwordInput(`file:${name}`, file, `It was read from the file ${name}.`), token, place);
}

function namedReference(token: string, what: string, name: string, place: TextPosition): string {
  const { context } = place;
  switch (what.toLowerCase()) {
    case 'userhome':
      return homeReference(context.platform);
    case 'pathseparator':
    case '/':
      return context.platform === 'win32' ? '\\' : '/';
    case 'input':
    case 'prompt':
      return askFor(
        context.declared.get(name) ?? nameInput(`input:${name}`, place, undefined, name),
        token,
        place,
      );
    case 'workspacefolderbasename':
      return askFor(workspaceInput(context), token, place, (folder) => basename(folder));
    case 'workspacefolder':
    case 'workspaceroot':
      return askFor(workspaceInput(context), token, place);
    case 'cmd':
      return askFor(nameInput(`output:${name.trim()}`, place, `Replaces ${token}.`), token, place);
    case '__dirname': {
      const description = 'The folder where the program is installed.';
      return askFor(
        textInput('bundleFolder', 'Folder of the program', { kind: 'folder', description }),
        token,
        place,
      );
    }
    case 'file':
      return fileReference(token, name, place);
    case 'secret':
      // Our own references to the vault stay.
      if (what === 'secret') return token;
      return askFor(passwordInput(`secret:${name}`, name), token, place);
    case 'secrets':
    case 'keychain':
      return askFor(passwordInput(`secret:${name}`, name), token, place);
    default:
      return askFor(nameInput(`${what}:${name}`, place, `Replaces ${token}.`, name), token, place);
  }
}

/**
 * Turns another program's reference into an input, or into our own form if it names an environment variable.
 */
function otherReference(token: string, what: string, name: string, place: TextPosition): string {
  if (what === 'env' || place.inputs.knows(token)) return token;
  if (/^env$/i.test(what)) return `\${${name}}`;
  const isVault = /vault|secret|key|op|pass|token|credential|aws|azure|gcp|doppler|infisical/i.test(what);
  const description = `Replaces ${token}.`;
  const id = `${what}:${name}`;
  return askFor(
    isVault ? passwordInput(id, name, description) : nameInput(id, place, description, name),
    token,
    place,
  );
}

/** Asks for a secret if its name or its field suggests one. */
function nameInput(id: string, { path }: TextPosition, description?: string, name?: string): ImportInput {
  const title = name ?? String(path[1] ?? path[0] ?? 'value');
  const isSecret = isSecretName(title) || path.some((step) => isSecretName(String(step)));
  if (isSecret) return passwordInput(id, title, description);
  return textInput(id, title, description === undefined ? {} : { description });
}

function workspaceInput({ workspace }: ReferenceContext): ImportInput {
  return textInput('workspaceFolder', 'Workspace folder', {
    kind: 'folder',
    description: 'The folder that the server works in.',
    ...(workspace === undefined ? {} : { default: workspace }),
  });
}

/** On Windows our config reads it too. In addresses it is probably an encoded character. */
function percentReference(token: string, name: string, place: TextPosition): string {
  const { path, context, ownVariables } = place;
  if (ownVariables.has(name)) return `\${${name}}`;
  if (path[0] === 'url' || context.platform === 'win32') return token;
  if (context.env[name] !== undefined) return `\${${name}}`;
  const home = windowsFolders[name.toUpperCase()];
  if (home !== undefined) return homeReference(context.platform) + home;
  const description = `A Windows variable: ${token}.`;
  const id = `variable:${name}`;
  return askFor(
    isSecretName(name) ? passwordInput(id, name, description) : textInput(id, name, { description }),
    token,
    place,
  );
}

/** The user's folders on another system. */
const windowsFolders: Readonly<Record<string, string>> = { USERPROFILE: '' };
