import {
  isLocationAssignment,
  readContainerCommand,
  unwrapCommand,
  withoutEnvironment,
} from './container-command.ts';

/** A word of a shell script, with its position and its unquoted text. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Container command inside a shell's `-c`, as {@link readContainerCommand} parses it. */
export interface ContainerScript
  extends Omit<NonNullable<ReturnType<typeof readContainerCommand>>, 'optionsAt'> {
  /** Returns the shell's arguments with further options of `run`. */
  readonly withOptions: (added: readonly string[]) => readonly string[];
}

/** Parses a container start: a direct command, or a script passed to a shell. */
export function readContainerStart(command: string, args: readonly string[]): ContainerScript | undefined {
  const found = readContainerCommand(command, args);
  if (found === undefined) return readContainerScript(command, args);
  const { optionsAt, ...rest } = found;
  return {
    ...rest,
    withOptions: (added) => [...args.slice(0, optionsAt), ...added, ...args.slice(optionsAt)],
  };
}

/**
 * Returns the verb of a command line that seems to start a container, or a program in one, which Patchbay cannot end
 * with the server.
 */
export function unboundContainer(command: string, args: readonly string[]): 'run' | 'exec' | undefined {
  const verb = containerVerb.exec([command, ...args].join(' '))?.[1];
  if (verb !== 'run') return verb === undefined ? undefined : 'exec';
  const found = readContainerStart(command, args);
  const isBound =
    found !== undefined &&
    (found.cidfile !== undefined
      ? !found.isElsewhere
      : found.name === undefined || !(found.isCompose || found.isElsewhere));
  return isBound ? undefined : 'run';
}

const containerVerb =
  /(?:^|[\s\\/"'])(?:docker|podman|nerdctl|finch)(?:-compose|-remote)?(?:\.exe)?["']?\s(?!mcp\s)(?:[^|;&\n]{0,300}?\s)?(run|exec|start)\s/;

/**
 * Parses `sh -c 'exec docker run …'`. Returns undefined if the script runs no container, or several, or is
 * not understood.
 */
export function readContainerScript(command: string, args: readonly string[]): ContainerScript | undefined {
  const { name, next, isElsewhere } = unwrapCommand(command, args);
  // Another system's shell would read the script once more.
  if (isElsewhere) return undefined;
  const isShell = /^(?:ba|da|z|k|a)?sh$/.test(name);
  const at = isShell ? args.findIndex((arg, index) => index >= next && !arg.startsWith('-')) : next - 1;
  const script = args[at];
  if (script === undefined || !(isShell ? /^-[a-z]{0,4}c$/ : commandOption).test(args[at - 1] ?? ''))
    return undefined;
  const found = commandsIn(script)?.flatMap((words) => parseWords(words) ?? []) ?? [];
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const { container, words, assigned } = only;
  const { optionsAt, general, ...rest } = container;
  // Only the shell could expand this.
  if (rest.cidfile?.includes('$') === true) return undefined;
  const end = words[optionsAt]?.end ?? script.length;
  const start = [words[0]?.text ?? '', ...general];
  const tool = [...assigned.map(({ text }) => text), ...start].map(quoted).join(' ');
  const before = withoutEnvironment(args, next, at);
  return {
    ...rest,
    // The other shells append further arguments to the command.
    general: isShell ? [...before, `${tool} "$@"`, 'sh'] : [...before, ...start],
    withOptions: (added) => [
      ...args.slice(0, at),
      `${script.slice(0, end)} ${added.map(quoted).join(' ')}${script.slice(end)}`,
      ...args.slice(at + 1),
    ],
  };
}

/** Options of `cmd` and PowerShell before a command in one argument. */
const commandOption = /^(?:\/c|-c|-command)$/i;

function parseWords(all: readonly Word[]) {
  const start = all.findIndex(({ text }) => !/^[A-Za-z_]\w{0,100}=/.test(text) && text !== 'exec');
  const words = all.slice(start);
  const [first, ...rest] = words;
  const container =
    start === -1 || first === undefined
      ? undefined
      : readContainerCommand(
          first.text,
          rest.map(({ text }) => text),
        );
  if (container === undefined) return undefined;
  const assigned = all.slice(0, start).filter(({ text }) => isLocationAssignment(text));
  return { container, words, assigned };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Splits a script into simple commands; returns undefined if it contains anything else. */
function commandsIn(script: string): readonly (readonly Word[])[] | undefined {
  const commands: Word[][] = [[]];
  let at = 0;
  while (at < script.length) {
    const rest = script.slice(at, at + maxWordLength);
    const space = /^[ \t]+/.exec(rest)?.[0];
    const separator = /^(?:&&|\|\||[;\n])/.exec(rest)?.[0];
    const word = /^(?:[^\s'"\\;&|<>()`#!]|'[^']*'|"(?:[^"\\`]|\\.)*"|\\[^\n])+/.exec(rest)?.[0];
    const found = space ?? separator ?? word;
    if (found === undefined || found.length >= maxWordLength) return undefined;
    if (separator !== undefined) commands.push([]);
    else if (space === undefined)
      commands.at(-1)?.push({ start: at, end: at + found.length, text: unquote(found) });
    at += found.length;
  }
  return commands;
}

const maxWordLength = 8192;

function unquote(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_whole, single, double, escaped) =>
    String(single ?? escaped ?? String(double).replace(/\\(["\\$`])/g, '$1')),
  );
}
