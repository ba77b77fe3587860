import { splitCommand } from '../../../../shared/split-command.ts';
import type { Entry } from './dialects.ts';
import { fieldOf, isPackageName, optionalMember, type Purpose, purposeOf } from './launchers.ts';
import { baseName, optionIn, packageOf } from './runners.ts';
import type { ShellCommand } from './shell.ts';

/** Variables and folder that a command gets from the shell. */
type CommandContext = Omit<ShellCommand, 'words'>;

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

/** Recognizes a package that sets something up and exits, or that runs between a server and its client. */
export function installerOf(
  written: string,
  args: readonly string[],
  outer: CommandContext,
): Purpose | undefined {
  const name = written.replace(/(?<=.)@[^/@]*$/, '');
  const [verb = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  const known = installers.find((one) => one.name.test(name) && (one.verbs?.test(verb) ?? true));
  const served = gatewayTarget(name, args, outer);
  if (served !== undefined) return served;
  if (/^@(?:modelcontextprotocol|mcpjam)\/inspector$/.test(name)) return inspectedServer(args, outer);
  if (known === undefined)
    return setupVerbs.test(verb) || (verb === 'mcp' && /^(?:add|install|init|setup)$/.test(second))
      ? { kind: 'installer', installer: `${name} ${verb}` }
      : undefined;
  const added =
    known.adds === true
      ? addedBy(known.verbs === undefined ? args : args.slice(args.indexOf(verb) + 1))
      : undefined;
  return { kind: 'installer', installer: name, ...(added === undefined ? {} : { adds: added }) };
}

/** The inspector is a client of the server whose command follows it. */
function inspectedServer(args: readonly string[], outer: CommandContext): Purpose {
  const rest = [...args];
  const env: Record<string, string> = { ...outer.env };
  while (/^-/.test(rest[0] ?? '')) {
    const option = rest.shift() ?? '';
    const value = /^(?:-e|--config|--server|--transport|--server-url|--method)$/.test(option)
      ? (rest.shift() ?? '')
      : '';
    if (option === '-e') Object.assign(env, Object.fromEntries(fieldOf(value, /=/)));
  }
  const adds = commandEntry(rest, { ...outer, env });
  return {
    kind: 'installer',
    installer: '@modelcontextprotocol/inspector',
    ...(adds === undefined ? {} : { adds }),
  };
}

/** Recognizes a gateway that offers the server behind it over HTTP, and not on stdio. */
export function gatewayTarget(
  name: string,
  args: readonly string[],
  outer: CommandContext,
): Purpose | undefined {
  const adds = commandEntry(gatewayCommand(name, args), outer);
  return adds === undefined ? undefined : { kind: 'installer', installer: name, adds };
}

/** Returns the command passed to a gateway: a line, or the words after `--` or after its own options. */
function gatewayCommand(name: string, args: readonly string[]): readonly string[] {
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

function addedBy(args: readonly string[]): (Entry & { readonly name?: string }) | undefined {
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
  const entry = /^https?:\/\//i.test(target)
    ? {
        url: target,
        ...(Object.keys(headers).length === 0 ? {} : { headers }),
        ...sse(value('--transport', '-t', '--type')),
      }
    : commandEntry(/\s/.test(target) ? target.split(/\s+/) : [target], { env });
  if (entry === undefined) return undefined;
  const more = entry.url === undefined ? all('--args', '--arg') : [];
  return {
    ...entry,
    ...(Array.isArray(entry.args) && more.length > 0 ? { args: [...entry.args, ...more] } : {}),
    ...(name === undefined ? {} : { name }),
  };
}

function sse(type: string | undefined): Entry {
  return type === 'sse' ? { type: 'sse' } : {};
}

/** Reads a command, or a lone package name, which npx runs. */
function commandEntry(words: readonly string[], outer: CommandContext): Entry | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const purpose = purposeOf({ words, ...outer });
  if (purpose.kind === 'server') return purpose.entry;
  return isPackageName(first)
    ? { command: 'npx', args: ['-y', first, ...rest], ...optionalMember('env', outer.env) }
    : undefined;
}
