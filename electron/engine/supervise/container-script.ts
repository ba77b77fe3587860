import { isLocationAssignment, readContainerCommand } from './container-command.ts';

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
 * Parses `sh -c 'exec docker run …'`. Returns undefined if the script runs no container, or several, or is
 * not understood.
 */
export function readContainerScript(command: string, args: readonly string[]): ContainerScript | undefined {
  if (!shells.test(command)) return undefined;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const script = args[at];
  if (script === undefined || !/^-[a-z]{0,4}c$/.test(args[at - 1] ?? '')) return undefined;
  const found = commandsIn(script)?.flatMap((words) => parseWords(words) ?? []) ?? [];
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const { container, words, assigned } = only;
  const { optionsAt, general, ...rest } = container;
  // Only the shell could expand this.
  if (rest.cidfile?.includes('$') === true) return undefined;
  const end = words[optionsAt]?.end ?? script.length;
  const tool = [...assigned, words[0], ...general.map((text) => ({ text }))]
    .map((word) => quoted(word?.text ?? ''))
    .join(' ');
  return {
    ...rest,
    general: [...args.slice(0, at), `${tool} "$@"`, 'sh'],
    withOptions: (added) => [
      ...args.slice(0, at),
      `${script.slice(0, end)} ${added.map(quoted).join(' ')}${script.slice(end)}`,
      ...args.slice(at + 1),
    ],
  };
}

const shells = /(?:^|[\\/])(?:ba|da|z|k|a)?sh(?:\.exe)?$/;

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
