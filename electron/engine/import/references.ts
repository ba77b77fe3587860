import { basename } from 'node:path';
import type { ImportInput } from '../../../shared/model/import-session.ts';
import { isSecretName } from '../base/secret-name.ts';
import type { Path } from '../config/tree.ts';
import type { Entry } from './found.ts';
import { type InputCollector, passwordInput, textInput } from './inputs.ts';
import { mapEntry } from './map-texts.ts';

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
 * The entry with its references as our config writes them. What stays to be asked for is left as it stands and noted:
 *
 * - `${env:X}`, `${X}` and `${X:-default}` mean the same here; `$X` only where the program expands it
 * - `${userHome}`, `${pathSeparator}`, `${/}` and, where the variable is known, `%X%` are rewritten
 * - `${input:id}`, `${workspaceFolder}`, `${file:…}`, `${command:…}`, `${config:…}`, `${{ secrets.X }}` and other `%X%` are asked for
 */
export function readReferences(entry: Entry, context: ReferenceContext, inputs: InputCollector): Entry {
  return mapEntry(entry, (text, path) => {
    const plain = context.dollar ? text : text.replace(/\$+(?=[A-Za-z_])/g, '$&$$');
    return plain.replace(foreign, (token, ...groups) => {
      const { name = '', what = '', secret = '', percent = '' } = groups.at(-1) as Groups;
      if (percent !== '') return percentReference(token, percent, path, context, inputs);
      if (secret !== '') {
        inputs.add(passwordInput(`secret:${secret}`, secret), { text: token });
        return token;
      }
      return namedReference(token, what, name, { path, context, inputs });
    });
  });
}

type Groups = Readonly<Partial<Record<'name' | 'what' | 'secret' | 'percent', string>>>;

const foreign =
  /\$\{(?<what>input|file|command|config|workspaceFolder|workspaceFolderBasename|workspaceRoot|userHome|pathSeparator|\/)(?::(?<name>[^{}]*))?\}|\$\{\{\s*(?:secrets|inputs)\.(?<secret>[A-Za-z0-9_.-]+)\s*\}\}|%(?<percent>[A-Z_][A-Z0-9_]{1,}(?:\(X86\))?)%/gi;

/** The home folder, as our config refers to it. */
export function homeReference(platform: NodeJS.Platform): string {
  return `\${${platform === 'win32' ? 'USERPROFILE' : 'HOME'}}`;
}

interface Place {
  readonly path: Path;
  readonly context: ReferenceContext;
  readonly inputs: InputCollector;
}

function namedReference(token: string, what: string, name: string, place: Place): string {
  const { context, inputs } = place;
  switch (what.toLowerCase()) {
    case 'userhome':
      return homeReference(context.platform);
    case 'pathseparator':
    case '/':
      return context.platform === 'win32' ? '\\' : '/';
    case 'input':
      inputs.add(context.declared.get(name) ?? undeclared(name, place.path), { text: token });
      return token;
    case 'workspacefolderbasename':
      inputs.add(workspaceInput(context), { text: token, of: (folder) => basename(folder) });
      return token;
    case 'workspacefolder':
    case 'workspaceroot':
      inputs.add(workspaceInput(context), { text: token });
      return token;
    case 'file':
      inputs.add(passwordInput(`file:${name}`, basename(name), `It was read from the file ${name}.`), {
        text: token,
      });
      return token;
    default:
      inputs.add(textInput(`${what}:${name}`, name, { description: `Stood there as ${token}.` }), {
        text: token,
      });
      return token;
  }
}

function undeclared(name: string, path: Path): ImportInput {
  const id = `input:${name}`;
  const isSecret = isSecretName(name) || path.some((step) => isSecretName(String(step)));
  return isSecret ? passwordInput(id, name) : textInput(id, name);
}

function workspaceInput({ workspace }: ReferenceContext): ImportInput {
  return textInput('workspaceFolder', 'Workspace folder', {
    kind: 'folder',
    description: 'The folder that the server is to work in.',
    ...(workspace === undefined ? {} : { default: workspace }),
  });
}

/** On Windows our config reads it too. In addresses it is likely an encoded character. */
function percentReference(
  token: string,
  name: string,
  path: Path,
  { platform, env }: ReferenceContext,
  inputs: InputCollector,
): string {
  if (path[0] === 'url' || platform === 'win32') return token;
  if (env[name] !== undefined) return `\${${name}}`;
  inputs.add(textInput(`variable:${name}`, name, { description: `A variable of Windows: ${token}.` }), {
    text: token,
  });
  return token;
}
