import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { ConfiguredServer } from '../../config/contract.ts';

/** Servers known to keep state for one user in their process, with that state. */
const statefulServers: readonly { readonly name: RegExp; readonly keeps: string }[] = [
  { name: /playwright|puppeteer|selenium|webdriver|chrome-?devtools/, keeps: 'one browser' },
  {
    name: /browser-?use|browser-?mcp|mcp-server-browser|browserbase|stagehand|hyperbrowser/,
    keeps: 'one browser',
  },
  { name: /appium|mobile-mcp/, keeps: 'one device' },
  { name: /computer-use|windows-mcp|desktop-automation|pyautogui/, keeps: 'one desktop' },
  { name: /desktop-?commander|iterm|tmux|terminal|ssh-session/, keeps: 'its terminal sessions' },
  {
    name: /jupyter|ipython|(?:python|node|js)-repl|python-interpreter/,
    keeps: 'the variables of one interpreter',
  },
  { name: /gdb|lldb|debugger/, keeps: 'one debugger' },
  { name: /sequential-?thinking/, keeps: 'one train of thought' },
  { name: /serena/, keeps: 'one active project' },
];

/** Warns if several clients share a server that keeps state for one user. */
export function sharedStateWarning(
  configured: ConfiguredServer,
  serverInfo: Readonly<Record<string, unknown>> | undefined,
  clients: number,
): Problem | undefined {
  if (clients < 2 || configured.isolation !== 'shared') return undefined;
  const names = [...programNames(configured), nameOf(serverInfo)];
  const found = statefulServers.find(({ name }) => names.some((candidate) => name.test(candidate)));
  if (found === undefined) return undefined;
  const { key } = configured;
  const sentence = `${clients} clients share ${key}, which keeps ${found.keeps} for all of them, so they can get in each other’s way.`;
  const fix = `Give each client its own process: set patchbay.isolation to "per-client" for ${key}.`;
  return problem('server.stateful_shared', sentence, fix, { server: key, clients });
}

/**
 * Returns the names of the command and of the package that a runner such as npx runs. Further arguments, such
 * as folders and addresses, belong to the program.
 */
function programNames({ target }: ConfiguredServer): readonly string[] {
  if (!target.ok || target.value.kind !== 'stdio') return [];
  const { command, args } = target.value;
  const isVerb = (word: string) => word.startsWith('-') || runnerVerbs.has(word);
  const first = args.find((word) => !isVerb(word));
  return [command, first ?? ''].map(programName);
}

/** Takes the end of a path, or the part after `node_modules`: other folders may have any name. */
function programName(word: string): string {
  const parts = word.toLowerCase().split(/[\\/]/);
  const modules = parts.lastIndexOf('node_modules');
  if (modules !== -1) return parts.slice(modules + 1).join('/');
  return word.startsWith('@') || word.includes('://') ? word.toLowerCase() : (parts.at(-1) ?? '');
}

const runnerVerbs: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x', 'tool', '/c']);

function nameOf(serverInfo: Readonly<Record<string, unknown>> | undefined): string {
  return typeof serverInfo?.name === 'string' ? serverInfo.name.toLowerCase() : '';
}
