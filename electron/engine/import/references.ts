import { basename } from 'node:path';
import type { ImportInput } from '../../../shared/model/import-session.ts';
import { isSecretName } from '../base/secret-name.ts';
import type { Path } from '../config/tree.ts';
import type { Entry } from './found.ts';
import { type InputCollector, passwordInput, textInput } from './inputs.ts';
import { mapEntry } from './map-texts.ts';
import { placeholdersIn } from './placeholders.ts';
import { foreign, type Groups } from './reference-forms.ts';

/** How a program reads the texts of its entries, and where they come from. */
export interface ReferenceContext {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether `$NAME` is a reference there; else it is a text that happens to look so. */
  readonly dollar: boolean;
  /** Inputs that the source itself describes, by their ids. */
  readonly declared: ReadonlyMap<string, ImportInput>;
  /** Likely `${workspaceFolder}`. */
  readonly workspace?: string;
}

/**
 * The entry with its references as our config writes them. What stays to be asked for becomes a token of an input:
 *
 * - `${env:X}`, `${X}` and `${X:-default}` mean the same here; `$X` only where the program expands it
 * - `{env:X}`, `$env:X`, `process.env.X`, `os.environ["X"]`, `${{ env.X }}` are `${X}`
 * - `${userHome}`, `${HOME}`, `${pathSeparator}`, `${/}` and, where the variable is known, `%X%` are rewritten
 * - `${input:id}`, `${workspaceFolder}`, `${file:…}`, `{file:…}`, `${command:…}`, `${config:…}`, `$(…)`, `op://…`,
 *   `${{ secrets.X }}`, other `%X%`, and what instructions leave to be filled in are asked for
 */
export function readReferences(
  entry: Entry,
  key: string,
  context: ReferenceContext,
  inputs: InputCollector,
): Entry {
  const args = Array.isArray(entry.args) ? entry.args.flat() : [];
  return mapEntry(entry, (text, path) => {
    if (!isRead(path) || text.length > longestText) return text;
    const previous: unknown = path[0] === 'args' ? args[Number(path[1]) - 1] : undefined;
    const before = typeof previous === 'string' ? previous : '';
    const place: Place = { path, key, context, inputs };
    return withoutPlaceholders(text, before, place)
      .map((part) => (part.isToken ? part.text : readTokens(part.text, place)))
      .join('');
  });
}

/** Longer texts are documents. */
const longestText = 20_000;

/** Options and descriptions hold no references, but for those of a client that was registered by hand. */
function isRead([field, group, option]: Path): boolean {
  if (field === 'patchbay') return group === 'oauth' && ['clientId', 'clientSecret'].includes(String(option));
  return ['command', 'args', 'env', 'headers', 'url', 'cwd', 'envFile'].includes(String(field));
}

function readTokens(text: string, place: Place): string {
  const { context } = place;
  const plain = context.dollar ? text : text.replace(/(?<!\$)\$+(?=[A-Za-z_])(?!env:)/gi, '$&$$');
  return plain.replace(foreign, (token, ...groups) => {
    const found = groups.at(-1) as Groups;
    const variable =
      found.template ??
      found.must ??
      found.bare ??
      found.brace ??
      found.shell ??
      found.program ??
      found.index ??
      found.actions;
    if (variable !== undefined) return `\${${variable}}`;
    if (found.percent !== undefined) return percentReference(token, found.percent, place);
    if (found.secret !== undefined)
      return asked(passwordInput(`secret:${found.secret}`, found.secret), token, place);
    if (found.vault !== undefined) {
      const title = found.vault.split('/').filter(Boolean).slice(-2).join(' ');
      return asked(
        passwordInput(`vault:${found.vault}`, title, `It is kept in 1Password as ${token}.`),
        token,
        place,
      );
    }
    if (found.folder !== undefined) {
      const description = 'The folder that the program was put into.';
      return asked(
        textInput('programFolder', 'Program folder', { kind: 'folder', description }),
        token,
        place,
      );
    }
    if (found.copilot !== undefined) {
      const title = found.copilot.replace(/^COPILOT_MCP_/i, '');
      return asked(passwordInput(`secret:${title}`, title), token, place);
    }
    if (found.other !== undefined) return otherReference(token, found.other, found.rest ?? '', place);
    if (found.path !== undefined) return fileReference(token, found.path, place);
    if (found.output !== undefined) {
      if (found.output === 'pwd') return asked(workspaceInput(context), token, place);
      return asked(nameInput(`output:${found.output}`, place, `Replaces ${token}.`), token, place);
    }
    return namedReference(token, found.what ?? '', found.name ?? '', place);
  });
}

/** The home folder, as our config refers to it. */
export function homeReference(platform: NodeJS.Platform): string {
  return `\${${platform === 'win32' ? 'USERPROFILE' : 'HOME'}}`;
}

interface Place {
  readonly path: Path;
  readonly key: string;
  readonly context: ReferenceContext;
  readonly inputs: InputCollector;
}

/** Notes an input. What our config would not know for a reference is written as one. */
function asked(
  input: ImportInput,
  written: string,
  { inputs }: Place,
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

/** Replaces each placeholder with the token of an input of its own; the rest stays as it was. */
function withoutPlaceholders(text: string, before: string, place: Place): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const placeholder of placeholdersIn(text, place.path, before)) {
    parts.push({ text: text.slice(from, placeholder.from), isToken: false });
    parts.push({
      text: filledToken(placeholder.words, text.slice(placeholder.from, placeholder.to), place),
      isToken: true,
    });
    from = placeholder.to;
  }
  return [...parts, { text: text.slice(from), isToken: false }];
}

function filledToken(words: string, written: string, place: Place): string {
  const { path, key, inputs } = place;
  const isGeneric =
    /^(?:value|api[-_ ]?key|key|token|access[-_ ]?token|secret|password|username|user|id|name|url|authorization|[^A-Za-z]*)$/i.test(
      words,
    );
  const title =
    isGeneric && key !== '' ? `${key} ${words.toLowerCase() === 'authorization' ? 'token' : words}` : words;
  const isSecret =
    [words, written, ...path.map(String)].some(isSecretName) ||
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

function fileReference(token: string, name: string, place: Place): string {
  const file = basename(name.replaceAll('\\', '/'));
  return asked(passwordInput(`file:${name}`, file, `It was read from the file ${name}.`), token, place);
}

function namedReference(token: string, what: string, name: string, place: Place): string {
  const { context } = place;
  switch (what.toLowerCase()) {
    case 'userhome':
      return homeReference(context.platform);
    case 'pathseparator':
    case '/':
      return context.platform === 'win32' ? '\\' : '/';
    case 'input':
    case 'prompt':
      return asked(
        context.declared.get(name) ?? nameInput(`input:${name}`, place, undefined, name),
        token,
        place,
      );
    case 'workspacefolderbasename':
      return asked(workspaceInput(context), token, place, (folder) => basename(folder));
    case 'workspacefolder':
    case 'workspaceroot':
      return asked(workspaceInput(context), token, place);
    case '__dirname': {
      const description = 'The folder that the program was put into.';
      return asked(
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
      return asked(passwordInput(`secret:${name}`, name), token, place);
    case 'secrets':
    case 'keychain':
      return asked(passwordInput(`secret:${name}`, name), token, place);
    default:
      return asked(nameInput(`${what}:${name}`, place, `Replaces ${token}.`, name), token, place);
  }
}

/** Turns another program's reference into an input, or into our own form where it names an environment variable. */
function otherReference(token: string, what: string, name: string, place: Place): string {
  if (what === 'env' || place.inputs.knows(token)) return token;
  if (/^env$/i.test(what)) return `\${${name}}`;
  const isVault = /vault|secret|key|op|pass|token|credential|aws|azure|gcp|doppler|infisical/i.test(what);
  const description = `Replaces ${token}.`;
  const id = `${what}:${name}`;
  return asked(
    isVault ? passwordInput(id, name, description) : nameInput(id, place, description, name),
    token,
    place,
  );
}

/** A secret where its own name or the field it stands in says so. */
function nameInput(id: string, { path }: Place, description?: string, name?: string): ImportInput {
  const title = name ?? String(path[1] ?? path[0] ?? 'value');
  const isSecret = isSecretName(title) || path.some((step) => isSecretName(String(step)));
  if (isSecret) return passwordInput(id, title, description);
  return textInput(id, title, description === undefined ? {} : { description });
}

function workspaceInput({ workspace }: ReferenceContext): ImportInput {
  return textInput('workspaceFolder', 'Workspace folder', {
    kind: 'folder',
    description: 'The folder that the server is to work in.',
    ...(workspace === undefined ? {} : { default: workspace }),
  });
}

/** On Windows our config reads it too. In addresses it is likely an encoded character. */
function percentReference(token: string, name: string, place: Place): string {
  const { path, context } = place;
  if (path[0] === 'url' || context.platform === 'win32') return token;
  if (context.env[name] !== undefined) return `\${${name}}`;
  const home = windowsFolders[name.toUpperCase()];
  if (home !== undefined) return homeReference(context.platform) + home;
  const description = `A variable of Windows: ${token}.`;
  const id = `variable:${name}`;
  return asked(
    isSecretName(name) ? passwordInput(id, name, description) : textInput(id, name, { description }),
    token,
    place,
  );
}

/** Where the folders of a person are on another system. */
const windowsFolders: Readonly<Record<string, string>> = { USERPROFILE: '' };
