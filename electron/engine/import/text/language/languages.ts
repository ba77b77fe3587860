// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { splitCommand } from '../../../../../shared/split-command.ts';
import type { Entry } from '../entry/dialects.ts';
import type { Piece } from '../pieces.ts';
import { isCertainly } from './lenient-parse.ts';
import { lispServers } from './lisp.ts';
import { serversInProgramCalls } from './program-calls.ts';

/** Reads a config in a language of a single program, and returns that language's name. */
export function otherLanguage(text: string): { readonly value: object; readonly form: string } | undefined {
  const unit = systemdServer(text);
  if (unit !== undefined) return { value: unit, form: 'a systemd unit' };
  const called = serversInProgramCalls(text);
  if (called !== undefined) return { value: called, form: 'code' };
  const lisp = lispServers(text);
  return lisp === undefined ? undefined : { value: lisp, form: 'Emacs Lisp' };
}

/** Matches a line that ends with a member that holds servers, which JavaScript does not have. */
export const yamlHolderLine =
  /^[ \t]*(?:-[ \t]+)?(?:mcpServers|mcp_servers|mcp-servers|mcp|servers|context_servers|extensions)[ \t]*:[ \t]*$/m;

/**
 * Returns the documents of a YAML stream that contain servers; front matter before a text contains none.
 */
export function yamlDocuments(text: string): readonly Piece[] {
  const parts = text.split(/^---[ \t]*$/m);
  if (parts.length < 2 || parts.length > 50) return [];
  const pieces = parts.map((part, index) => ({
    text: part,
    line: parts.slice(0, index).join('').split('\n').length,
  }));
  return pieces.filter((piece) => isCertainly('yaml', piece.text));
}

/**
 * Serializes a value; undefined for circular ones. Large TOML integers become numbers, or texts if those
 * would lose digits.
 */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? plainInteger(one) : one));
  } catch {
    return undefined;
  }
}

function plainInteger(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** Returns the command of a systemd service, with its variables and its folder. */
function systemdServer(text: string): Entry | undefined {
  if (!/^\[Service\][ \t]*$/m.test(text)) return undefined;
  const lines = text.replace(/\\\n/g, ' ').split('\n');
  const values = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1).trim()] : []));
  const [command, ...args] = splitCommand((values('ExecStart').at(-1) ?? '').replace(/^[-@:+!|]+/, '')).map(
    expandSpecifiers,
  );
  if (command === undefined || command === '') return undefined;
  const env = values('Environment')
    .flatMap(splitCommand)
    .map(
      (word) => [word.split('=', 1)[0] ?? '', expandSpecifiers(word.slice(word.indexOf('=') + 1))] as const,
    )
    .filter(([name]) => /^\w+$/.test(name));
  const [folder] = values('WorkingDirectory');
  const [file] = values('EnvironmentFile');
  return {
    command,
    args,
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
    ...(folder === undefined || folder === '' ? {} : { cwd: expandSpecifiers(folder.replace(/^-/, '')) }),
    ...(file === undefined || file === '' ? {} : { envFile: expandSpecifiers(file.replace(/^-/, '')) }),
  };
}

/** Expands `%h` to the home folder, and `%%` to a percent sign. */
function expandSpecifiers(text: string): string {
  return text.replace(/%h/g, () => '${HOME}').replace(/%%/g, '%');
}
