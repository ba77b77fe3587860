import type { Entry } from '../entry/dialects.ts';
import { optionalMember } from './fields.ts';
import {
  type AddedTarget,
  type CommandContext,
  exitsAtOnce,
  gatewayCommand,
  installerOf,
} from './installers.ts';
import { isDocument, pathStart } from './paths.ts';
import { baseName, isPackageName, packageOf } from './runners.ts';
import { type ShellCommand, shellCommands } from './shell.ts';
import { wrappedWords } from './shell-wrapper.ts';

/**
 * The purpose of a command line: to run a server, to prepare one, to write into a client's config, or none of
 * these.
 */
export type Purpose =
  | { readonly kind: 'server'; readonly entry: Entry; readonly isPlain: boolean }
  | {
      readonly kind: 'installer';
      readonly installer: string;
      readonly adds?: (Entry & { readonly name?: string }) | undefined;
    }
  | { readonly kind: 'setup' }
  | { readonly kind: 'other' };

/** Classifies one command by the grammar of its program. */
export function purposeOf({ words, env, cwd }: ShellCommand): Purpose {
  const [program = '', ...args] = withPlainDashes(words);
  const inner = wrappedWords(program, args);
  if (inner !== undefined) return purposeOf({ words: inner, env, cwd });
  const name = baseName(program);
  const folder = cwd === undefined || (cwd.startsWith('<') && !dependsOnFolder(name, args)) ? {} : { cwd };
  const line = args[args.findIndex((arg) => /^(?:\/c|-l?c|-command)$/i.test(arg)) + 1];
  if (/^(?:cmd|powershell|pwsh|sh|bash|zsh)$/.test(name) && line !== undefined && /&&|;|&\s/.test(line)) {
    const commands = shellCommands(line);
    const [first] = commands;
    if (first !== undefined && commands.length === 1)
      return purposeOf({ ...first, env: { ...env, ...first.env } });
    // A shell that does more than start the server stays.
    if (commands.some((one) => purposeOf(one).kind === 'server'))
      return {
        kind: 'server',
        isPlain: true,
        entry: { command: program, args, ...optionalMember('env', env) },
      };
  }
  if (name === 'ssh') return overSsh(program, args, env);
  const packaged = packageOf(name, args);
  const other = installerPurpose(packaged?.name ?? name, packaged?.args ?? args, packaged !== undefined, {
    env,
    cwd,
  });
  if (other !== undefined) return other;
  if ((packaged?.isPackage !== true || isDetached(name, args)) && isSetup(name, args))
    return { kind: 'setup' };
  const isServer = packaged === undefined ? runsFile(name, program, args) : packaged.isPackage;
  if (!isServer) return { kind: 'other' };
  if (args.some((arg) => /^(?:--help|-h|--version|-V)$/.test(arg)) && args.length <= 3)
    return { kind: 'other' };
  if (exitsAtOnce(args)) return { kind: 'setup' };
  const isSure = packaged?.isSure ?? true;
  return {
    kind: 'server',
    isPlain: isSure,
    entry: {
      command: program,
      args,
      ...optionalMember('env', env),
      ...folder,
    },
  };
}

/** Recognizes a gateway or, among packages, an installer, with the server that it offers or adds. */
function installerPurpose(
  written: string,
  args: readonly string[],
  isPackaged: boolean,
  context: CommandContext,
): Purpose | undefined {
  const name = isPackaged ? written.replace(/(?<=.)@[^/@]*$/, '') : written;
  const served = commandEntry(gatewayCommand(name, args), context);
  if (served !== undefined) return { kind: 'installer', installer: name, adds: served };
  const found = isPackaged ? installerOf(name, args, context) : undefined;
  if (found === undefined) return undefined;
  const adds = found.adds === undefined ? undefined : addedEntry(found.adds);
  return { kind: 'installer', installer: found.installer, adds };
}

function addedEntry(added: AddedTarget): (Entry & { readonly name?: string }) | undefined {
  const entry = added.kind === 'command' ? commandEntry(added.words, added.context) : added.entry;
  if (entry === undefined) return undefined;
  const more = added.kind === 'command' ? added.more : [];
  const whole =
    Array.isArray(entry.args) && more.length > 0 ? { ...entry, args: [...entry.args, ...more] } : entry;
  return added.name === undefined ? whole : { ...whole, name: added.name };
}

/** Reads a command, or a lone package name, which npx runs. */
function commandEntry(words: readonly string[], context: CommandContext): Entry | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const purpose = purposeOf({ words, ...context });
  if (purpose.kind === 'server') return purpose.entry;
  return isPackageName(first)
    ? { command: 'npx', args: ['-y', first, ...rest], ...optionalMember('env', context.env) }
    : undefined;
}

/** Recognizes a server on another computer, if a server's command follows the host. */
function overSsh(command: string, args: readonly string[], env: ShellCommand['env']): Purpose {
  const host = args.findIndex(
    (arg, at) => !arg.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[at - 1] ?? ''),
  );
  const words = args.slice(host + 1);
  const isServer = host !== -1 && words.length > 0 && purposeOf({ words, env: {} }).kind === 'server';
  return isServer
    ? { kind: 'server', isPlain: true, entry: { command, args, ...optionalMember('env', env) } }
    : { kind: 'other' };
}

/** Returns whether a command depends on its folder: it runs a file or project in it. */
function dependsOnFolder(name: string, args: readonly string[]): boolean {
  const runsProject =
    /^(?:uv|poetry|pdm|rye|hatch|cargo)$/.test(name) &&
    args[0] === 'run' &&
    !args.some((arg) => /^(?:--directory|--project|--with|--from|--manifest-path|-C)(?:=|$)/.test(arg));
  return runsProject || isConsole(name, args[0] ?? '') || args.some(isRelativeFile);
}

/** Recognizes the file without an extension with which PHP runs the commands of an application. */
function isConsole(name: string, file: string): boolean {
  return name === 'php' && /^(?:.*[\\/])?(?:artisan|console)$/.test(file);
}

function isRelativeFile(word: string): boolean {
  return /^(?![/~$-]|[A-Za-z]:|https?:)(?:[\w.-]+[\\/])*[\w.-]+\.(?:[cm]?[jt]s|py|jar|rb|php|sh)$/.test(word);
}

/** Word processors turn two dashes into one, and one into a long one. */
export function withPlainDashes(words: readonly string[]): readonly string[] {
  return words.map((word) =>
    word
      .replace(/^[\u2013\u2014]-?$/, '--')
      .replace(/^[\u2013\u2014](?=\w)/, (_, _at, whole: string) => (whole.length === 2 ? '-' : '--')),
  );
}

/** Recognizes interpreters with a file or module, and programs by path or name. */
function runsFile(name: string, program: string, args: readonly string[]): boolean {
  const [first = ''] = args.filter((arg) => !/^-(?!m$|jar$|c$)/.test(arg));
  if (/^(?:python[\d.]*|py|pypy3?)$/.test(name))
    return args.includes('-m') || /\.pyz?$/.test(first) || /[\\/]/.test(first);
  if (/^(?:node|tsx|ts-node|nodejs|electron)$/.test(name))
    return /\.[cm]?[jt]sx?$/.test(first) || /[\\/]/.test(first) || first === '.';
  if (name === 'java') return args.includes('-jar') || args.includes('-cp');
  if (isConsole(name, args[0] ?? ''))
    return /^(?:[\w-]+:)?mcp(?:[:-](?:start|serve|server|stdio|run))?$/.test(args[1] ?? '');
  if (/^(?:ruby|php|perl|lua|julia|rscript|bash|sh)$/.test(name)) return /\.\w{1,4}$/.test(first);
  // A single word after a slash is a chat command.
  if (/^\/[\w-]+$/.test(program)) return false;
  if (pathStart.test(program)) return !isDocument(program, args);
  if (/^(?:fastmcp|mcp)$/.test(name)) return args[0] === 'run' && args.length > 1;
  if (name === 'claude' || name === 'codex')
    return (args[0] === 'mcp' && args[1] === 'serve') || args[0] === 'mcp-server';
  // Without arguments such a word is the name of a package.
  return (
    /^[\w.-]+$/.test(name) &&
    name.includes('mcp') &&
    !program.includes('/') &&
    args.length > 0 &&
    args[0] !== '=' &&
    name.length > 3 &&
    !/^mcp(?:m|ctl|x)$/.test(name)
  );
}

/** A detached container does not respond on stdio. */
function isDetached(name: string, args: readonly string[]): boolean {
  if (!/^(?:docker|podman|nerdctl)$/.test(name) || args[0] !== 'run') return false;
  return args.some((arg) => /^(?:-d|--detach|-itd|-dit|-d\w|-\wd)$/.test(arg));
}

const setupCommands: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|in|install|ci|add|run|init|create|link|start|test|update|login|config|pack|view|cache)$/,
  pnpm: /^(?:i|install|add|run|build|link|create)$/,
  yarn: /^(?:install|add|build|run|global|create)$/,
  bun: /^(?:i|install|add|build|create|init)$/,
  pip: /./,
  pip3: /./,
  pipx: /^(?:install|upgrade|ensurepath)$/,
  uv: /^(?:sync|pip|add|venv|init|lock|build|self|python|cache)$/,
  git: /./,
  docker: /^(?:pull|build|login|compose|images|ps|volume|network|tag|push)$/,
  podman: /^(?:pull|build|login)$/,
  go: /^(?:install|build|get|mod)$/,
  cargo: /^(?:install|build|add)$/,
  dotnet: /^(?:build|restore|tool|add|publish)$/,
};
const setupPrograms =
  /^(?:plugin|brew|apt|apt-get|dnf|yum|pacman|choco|scoop|winget|curl|wget|mkdir|cp|mv|rm|ls|cat|echo|touch|chmod|source|\.|which|where|code|open|make|cmake|conda|mamba|pyenv|nvm|fnm|asdf|mise|poetry|activate|deactivate|exit|iwr|irm|iex|thv|mcpm|ollama|python3?-venv)$/;

function isSetup(name: string, args: readonly string[]): boolean {
  if (isDetached(name, args)) return true;
  if (setupPrograms.test(name) || /^activate$/.test(name)) return true;
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  if (name === 'docker' && first === 'mcp') return !args.includes('gateway');
  if (/^(?:claude|gemini|codex|goose|copilot|qwen)$/.test(name)) {
    return /^(?:plugin|plugins|extension|extensions|install|update|configure|login)$/.test(first);
  }
  if (name === 'uv' && first === 'tool') return args[args.indexOf('tool') + 1] !== 'run';
  if (/^python[\d.]*$/.test(name) && args.includes('-m'))
    return /^(?:venv|pip|ensurepip|build)$/.test(args[args.indexOf('-m') + 1] ?? '');
  return (
    Object.hasOwn(setupCommands, name) &&
    setupCommands[name]?.test(first) === true &&
    !(name === 'docker' && first === 'compose' && args.includes('run'))
  );
}
