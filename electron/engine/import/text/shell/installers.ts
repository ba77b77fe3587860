import { splitCommand } from '../../../../../shared/split-command.ts';
import type { Entry } from '../entry/dialects.ts';
import { fieldOf, optionalMember } from './fields.ts';
import { baseName, optionIn, packageOf } from './runners.ts';
import type { ShellCommand } from './shell.ts';

/** Variables and folder that a command gets from the shell. */
export type CommandContext = Omit<ShellCommand, 'words'>;

/** Packages that write into clients' configs; if their arguments name a server, it is offered instead. */
const installers: readonly { readonly name: RegExp; readonly verbs?: RegExp; readonly adds?: true }[] = [
  { name: /^@smithery\/cli$/, verbs: /^(?:install|mcp|uninstall|setup|login|search|list|inspect)$/ },
  { name: /^(?:add-mcp|install-mcp|mcp-add|mcp-install|@mcpjam\/add|mcp-config-installer)$/, adds: true },
  { name: /^(?:@michaellatman\/)?mcp-get$/, verbs: /^(?:install|list|uninstall|update)$/, adds: true },
  { name: /^@composio\/mcp$/, verbs: /^(?:setup|start)$/, adds: true },
  { name: /^(?:@mintlify\/mcp|mint-mcp|mintlify)$/, verbs: /^add$/ },
  { name: /^(?:create-|@[\w-]+\/create-)/ },
  { name: /^(?:skills|mcpm|mcp-cli|@anthropic-ai\/claude-code|@openai\/codex|@google\/gemini-cli|degit)$/ },
];

/** Verbs of any package that set something up and exit. */
const setupVerbs =
  /^(?:install|uninstall|setup|init|configure|login|logout|auth|update|upgrade|remove|create|list|doctor)$/;

/** Options that make any program do something once and exit. */
const oneShotOptions =
  /^--(?:(?:init|setup|install|uninstall|login|logout|configure)(?:-config)?|(?:list|print|show)-(?:tools|config)|help|version)$/;

/** Returns whether an option without a value makes the program exit at once. */
export function exitsAtOnce(args: readonly string[]): boolean {
  return args.some((arg, at) => oneShotOptions.test(arg) && /^(?:-|$)/.test(args[at + 1] ?? ''));
}

/** A program that sets something up and exits, or that runs between a server and its client. */
interface Installer {
  readonly installer: string;
  readonly adds?: AddedTarget | undefined;
}

/** The server that an installer adds or starts: a command, or the entry of a remote one. */
export type AddedTarget =
  | {
      readonly kind: 'command';
      readonly name?: string | undefined;
      readonly words: readonly string[];
      readonly context: CommandContext;
      /** Further arguments, if the command has some. */
      readonly more: readonly string[];
    }
  | { readonly kind: 'remote'; readonly name?: string | undefined; readonly entry: Entry };

/** Recognizes a package, named without its version, that sets something up and exits. */
export function installerOf(
  name: string,
  args: readonly string[],
  context: CommandContext,
): Installer | undefined {
  const [verb = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  if (/^@(?:modelcontextprotocol|mcpjam)\/inspector$/.test(name))
    return { installer: '@modelcontextprotocol/inspector', adds: inspectedServer(args, context) };
  const known = installers.find((one) => one.name.test(name) && (one.verbs?.test(verb) ?? true));
  if (known === undefined)
    return setupVerbs.test(verb) || (verb === 'mcp' && /^(?:add|install|init|setup)$/.test(second))
      ? { installer: `${name} ${verb}` }
      : undefined;
  if (known.adds !== true) return { installer: name };
  const rest = known.verbs === undefined ? args : args.slice(args.indexOf(verb) + 1);
  return { installer: name, adds: addedBy(rest) };
}

/** The inspector is a client of the server whose command follows it. */
function inspectedServer(args: readonly string[], context: CommandContext): AddedTarget {
  const words = [...args];
  const env: Record<string, string> = { ...context.env };
  while (/^-/.test(words[0] ?? '')) {
    const option = words.shift() ?? '';
    const value = /^(?:-e|--config|--server|--transport|--server-url|--method)$/.test(option)
      ? (words.shift() ?? '')
      : '';
    if (option === '-e') Object.assign(env, Object.fromEntries(fieldOf(value, /=/)));
  }
  return { kind: 'command', words, context: { ...context, env }, more: [] };
}

/**
 * Returns the command passed to a gateway, which offers its server over HTTP and not on stdio: a line, or the
 * words after `--` or after its own options. Empty for any other program.
 */
export function gatewayCommand(name: string, args: readonly string[]): readonly string[] {
  // A gateway in front of another gateway is left as it is.
  if (args.some((arg) => gatewayPrograms.test(arg))) return [];
  if (name === 'supergateway') return splitCommand(optionIn(args, '--stdio') ?? '');
  const serves =
    name === 'mcpo' || (name === 'mcp-proxy' && args.some((arg) => /^--(?:sse-)?port(?:=|$)/.test(arg)));
  if (!serves) return [];
  const dashes = args.indexOf('--');
  const start =
    dashes === -1
      ? args
          .slice(0, maxOwnWords)
          .findIndex((arg, at) => packageOf(baseName(arg), args.slice(at + 1))?.isPackage === true)
      : dashes + 1;
  return start === -1 ? [] : args.slice(start);
}

/** Maximum number of a gateway's own words before the command. */
const maxOwnWords = 20;

const gatewayPrograms = /(?:^|[\s/])(?:mcpo|mcp-proxy|supergateway)(?:@|\s|$)/;

function addedBy(args: readonly string[]): AddedTarget | undefined {
  const value = (...names: readonly string[]) =>
    names.map((name) => optionIn(args, name)).find((found) => found !== undefined);
  const all = (...names: readonly string[]) =>
    args.flatMap((arg, at) =>
      names.includes(args[at - 1] ?? '')
        ? [arg]
        : names.flatMap((name) => (arg.startsWith(`${name}=`) ? [arg.slice(name.length + 1)] : [])),
    );
  const valued =
    /^(?:-n|--name|--client|-c|-a|--agent|--header|-H|--env|-e|--transport|-t|--type|--clients|--scope|-s|--oauth|--args?)$/;
  const target =
    value('--url', '--command') ??
    args.find((arg, at) => !arg.startsWith('-') && !valued.test(args[at - 1] ?? ''));
  if (target === undefined) return undefined;
  const headers = Object.fromEntries(all('--header', '-H').flatMap((text) => fieldOf(text, /:\s*|=/)));
  const env = Object.fromEntries(all('--env', '-e').flatMap((text) => fieldOf(text, /=/)));
  const name = value('-n', '--name');
  if (!/^https?:\/\//i.test(target)) {
    const words = /\s/.test(target) ? target.split(/\s+/) : [target];
    return { kind: 'command', name, words, context: { env }, more: all('--args', '--arg') };
  }
  const entry = {
    url: target,
    ...optionalMember('headers', headers),
    ...(value('--transport', '-t', '--type') === 'sse' ? { type: 'sse' } : {}),
  };
  return { kind: 'remote', name, entry };
}
