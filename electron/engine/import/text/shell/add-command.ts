import { isRecord, scalarText } from '../../../../../shared/json.ts';
import { splitCommand } from '../../../../../shared/split-command.ts';
import type { Entry } from '../entry/dialects.ts';
import { parsePastedJson } from '../language/pasted-json.ts';
import { isOption, mayTakeValue, type OptionKind, options } from './client-options.ts';
import { purposeOf } from './command-purpose.ts';
import { fields, optionalMember } from './fields.ts';
import { isPackageName } from './runners.ts';

/** A server added by a client's command: its name, and its entry in that client's form or ours. */
export interface AddedServer {
  readonly name: string;
  readonly entry: Entry;
}

function isSentence([program = '', ...words]: readonly string[]): boolean {
  return (
    /^[a-z]+$/i.test(program) &&
    purposeOf({ words: [program, ...words], env: {} }).kind === 'other' &&
    words.some((word) =>
      /^(?:an?|the|to|your|this|that|is|are|with|for|and|or|of|in|from|it|you)$/i.test(word),
    )
  );
}

/** The words of an `add` command by their meaning. */
interface AddCommand {
  readonly found: Found;
  /** The server's command line. */
  readonly target: readonly string[];
}

type Found = Readonly<Record<Exclude<OptionKind, 'none'>, string[]>>;

/** Reads the words after `CLIENT mcp add`; `outer` are the variables set for the command. */
export function readAddCommand(
  words: readonly string[],
  outer: Readonly<Record<string, string>>,
): readonly AddedServer[] | undefined {
  const { found, target } = parseAddCommand(words);
  const entry = entryOf(found, target, outer);
  const [written = ''] = found.name;
  // The manual of the command, or a sentence about it, names no server.
  const isManual =
    (isPlaceholderWord(written) && /^[<[]/.test(target[0] ?? found.url[0] ?? '<')) ||
    (/^[<[][^<>]*(?:command|cmd)/i.test(target[0] ?? '') && target.every(isPlaceholderWord));
  if (entry === undefined || isManual || isSentence(target)) return undefined;
  return [{ name: isPlaceholderWord(written) ? '' : written, entry }];
}

function parseAddCommand(words: readonly string[]): AddCommand {
  const found = noWords();
  const target: string[] = [];
  const rest = [...words];
  const isRemote = hasRemoteType(words);
  while (rest.length > 0) {
    const word = rest.shift() ?? '';
    if (word === '--') {
      target.push(...rest);
      break;
    }
    const [flag = '', inline] = /^--[a-z-]+=/.test(word) ? word.split(/=(.*)/s) : [word];
    const kind = Object.hasOwn(options, flag) ? options[flag] : undefined;
    if (kind !== undefined) {
      const values = [inline ?? rest.shift() ?? ''];
      // Some clients treat all words that follow as arguments of the program.
      while (flag === '--args' && rest[0] !== undefined && !isOption(rest[0]))
        values.push(rest.shift() ?? '');
      // Claude Code accepts several variables after one option.
      while (kind === 'env' && found.name.length > 0 && /^[A-Za-z_]\w*=/.test(rest[0] ?? ''))
        values.push(rest.shift() ?? '');
      if (kind !== 'none') found[kind].push(...values);
    } else if (/^--(?:disabled|enabled)$/.test(flag)) {
      const value = inline ?? (/^(?:true|false)$/.test(rest[0] ?? '') ? rest.shift() : 'true');
      if ((value === 'false') === (flag === '--enabled')) found.off.push(word);
    } else if (/^-./.test(word)) {
      // An unknown option counts as a switch, unless the target is already known and a value may follow.
      if (found.command.length + found.url.length > 0 && mayTakeValue(word, rest[0])) rest.shift();
    } else if (
      found.name.length === 0 &&
      found.url.length + found.command.length === 0 &&
      !/^https?:/.test(word)
    ) {
      found.name.push(word);
    } else if (/^https?:/.test(word) || isPlaceholderAddress(word, isRemote)) found.url.push(word);
    // Options may follow an address or a quoted line; words after a command belong to it.
    else if (/\s/.test(word.trim()) && !isPlaceholderWord(word)) target.push(...splitCommand(word));
    // If an option named the program, the remaining words are its arguments.
    else if (found.command.length > 0) found.arg.push(word);
    else {
      // The first `--` belongs to the client, wherever it is.
      const dashes = rest.indexOf('--');
      target.push(word, ...rest.filter((_, at) => at !== dashes));
      break;
    }
  }
  return { found, target };
}

function noWords(): Found {
  return {
    env: [],
    header: [],
    type: [],
    url: [],
    command: [],
    arg: [],
    name: [],
    cwd: [],
    clientId: [],
    port: [],
    off: [],
    timeout: [],
    bearer: [],
    token: [],
    allow: [],
    deny: [],
  };
}

function isPlaceholderWord(word: string): boolean {
  return /^[<[].*[>\]]$/s.test(word);
}

/** Returns whether an option of the client says that the server is remote. */
function hasRemoteType(words: readonly string[]): boolean {
  return (
    !words.includes('--') &&
    words.some((word, at) => {
      const [flag = '', value = words[at + 1] ?? ''] = word.split('=', 2);
      return options[flag] === 'type' && /^(?:sse|http|streamable-?http)$/i.test(value);
    })
  );
}

/**
 * Recognizes a placeholder or a variable in place of an address, if its name says so or only an address can
 * be there.
 */
function isPlaceholderAddress(word: string, isRemote: boolean): boolean {
  const isText =
    /^(?:<[^<>]*>|\[[^[\]]*\]|\{{1,2}[^{}]*\}{1,2}|\$\{?\w+\}?|%\w+%|[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+)(?:[/?]\S*)?$/.test(
      word,
    );
  return (
    isText &&
    !/command|cmd/i.test(word) &&
    (isRemote || /(?:^|[^a-z])(?:ur[li]|endpoint|address)(?:$|[^a-z])/i.test(word))
  );
}

function entryOf(
  found: Found,
  target: readonly string[],
  outer: Readonly<Record<string, string>>,
): Entry | undefined {
  const { type, url, cwd, timeout, bearer, token, allow, deny, clientId, port, off } = found;
  const options = {
    ...(timeout[0] === undefined ? {} : { timeoutMs: timeout[0] }),
    ...(clientId[0] === undefined
      ? {}
      : { oauth: { clientId: clientId[0], callbackPort: Number(port[0]) || undefined } }),
    ...(off.length === 0 ? {} : { disabled: true }),
    ...(allow.length === 0 || allow[0] === '' ? {} : { includeTools: allow.join(',') }),
    ...(deny.length === 0 ? {} : { excludeTools: deny.join(',') }),
  };
  const command = target[0] ?? found.command[0];
  const address = url[0] ?? (/^https?:/.test(command ?? '') ? command : undefined);
  if (address !== undefined) {
    const headers = {
      ...fields(found.header.flatMap(headersIn), /(?<!\s)\s*[:=]\s*/),
      ...(token[0] === undefined ? {} : { Authorization: `Bearer ${token[0]}` }),
      ...(bearer[0] === undefined ? {} : { Authorization: `Bearer \${${bearer[0]}}` }),
    };
    return {
      ...(type[0] === undefined ? {} : { type: type[0] }),
      url: address,
      ...optionalMember('headers', headers),
      ...options,
    };
  }
  if (command === undefined) return undefined;
  const [program = '', ...own] =
    target.length > 0 ? target : /\s/.test(command) ? splitCommand(command) : [command];
  const env = {
    ...Object.fromEntries(Object.entries(outer)),
    ...fields(found.env.flatMap(splitVariables), /=/),
  };
  const args = [...own, ...found.arg.flatMap(argumentsIn)];
  // A lone package name is run by npx.
  const isPackage = args.length === 0 && /^@[^/]+\/./.test(program) && isPackageName(program);
  return {
    ...(isPackage ? { command: 'npx', args: ['-y', program] } : { command: program, args }),
    ...optionalMember('env', env),
    ...(cwd[0] === undefined ? {} : { cwd: cwd[0] }),
    ...options,
  };
}

/** Splits `A=1,B=2`, or one JSON object. */
function splitVariables(text: string): readonly string[] {
  return objectIn(text, '=') ?? text.split(/,(?=[A-Za-z_]\w*=)/);
}

/** Reads `Name: value`, or one JSON object. */
function headersIn(text: string): readonly string[] {
  return objectIn(text, ': ') ?? [text];
}

function objectIn(text: string, sign: string): readonly string[] | undefined {
  const value = /^\s*\{/.test(text) ? parsePastedJson(text) : undefined;
  return isRecord(value)
    ? Object.entries(value).map(([name, one]) => `${name}${sign}${scalarText(one)}`)
    : undefined;
}

/** Reads a JSON list, words separated by commas, or a line. */
function argumentsIn(text: string): readonly string[] {
  const value = /^\s*\[/.test(text) ? parsePastedJson(text) : undefined;
  if (Array.isArray(value)) return value.map(scalarText);
  if (/\s/.test(text.trim())) return splitCommand(text);
  return text.includes(',') && !/^https?:/.test(text) ? text.split(',') : [text];
}
