import { launcherWords, splitCommand } from '../../../shared/split-command.ts';

/**
 * Servers out of what instructions have people type, as JSON of the usual form: `claude mcp add …` wherever it stands,
 * and command lines and addresses where the text holds nothing else. Undefined where there is none.
 */
export function commandsAsJson(text: string): string | undefined {
  const lines = text
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .map((line) => line.trim().replace(/^[$>]\s+/, ''))
    .filter((line) => line !== '' && !/^(?:#|```)/.test(line));
  const added = lines.flatMap((line) => addedBy(line) ?? []);
  if (added.length > 0) return JSON.stringify(added);
  const bare = lines.map(bareEntry);
  return bare.length > 0 && bare.every((entry) => entry !== undefined) ? JSON.stringify(bare) : undefined;
}

type Entry = Readonly<Record<string, unknown>>;

/** Options of the commands that add a server, and what becomes of their value. */
const options: Readonly<Record<string, 'env' | 'header' | 'type' | 'url' | 'none'>> = {
  '-e': 'env',
  '--env': 'env',
  '-H': 'header',
  '--header': 'header',
  '-t': 'type',
  '--transport': 'type',
  '--url': 'url',
  '-s': 'none',
  '--scope': 'none',
};

/** `claude mcp add NAME -- COMMAND`, and those of other programs that copied it. */
function addedBy(line: string): Entry | undefined {
  const [program = '', mcp, add, ...words] = splitCommand(line);
  if (!/^(?:claude|codex|gemini|qwen)$/.test(program) || mcp !== 'mcp' || add !== 'add') return undefined;
  const found = { env: [] as string[], header: [] as string[], type: [] as string[], url: [] as string[] };
  const names: string[] = [];
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const [flag = '', inline] = /^--[a-z-]+=/.test(word) ? word.split(/=(.*)/s) : [word];
    const kind = options[flag];
    if (word === '--') break;
    if (kind !== undefined) {
      const value = inline ?? words.shift() ?? '';
      if (kind !== 'none') found[kind].push(value);
    } else if (names.length === 0) names.push(word);
    // Options may follow an address; what follows a command is its own.
    else if (/^https?:/.test(word)) found.url.push(word);
    else {
      words.unshift(word);
      break;
    }
  }
  const [first, ...args] = words;
  const target = found.url[0] ?? first;
  const [name] = names;
  if (name === undefined || target === undefined) return undefined;
  const { env, header, type } = found;
  const reached = /^https?:/.test(target)
    ? {
        ...(type[0] === undefined ? {} : { type: type[0] }),
        url: target,
        ...pairs('headers', header, /:\s*/),
      }
    : { command: target, args, ...pairs('env', env, /=/) };
  return { name, ...reached };
}

function bareEntry(line: string): Entry | undefined {
  if (/^https?:\/\/\S+$/.test(line)) return { url: line };
  const [, assigned = '', rest = ''] =
    /^((?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)*)(.*)$/.exec(line) ?? [];
  const words = launcherWords(rest);
  if (words === undefined) return undefined;
  const [command, ...args] = words;
  return { command, args, ...pairs('env', splitCommand(assigned), /=/) };
}

function pairs(name: 'env' | 'headers', texts: readonly string[], sign: RegExp): Entry {
  const found = texts.flatMap((text) => {
    const at = sign.exec(text);
    return at === null ? [] : [[text.slice(0, at.index), text.slice(at.index + at[0].length)] as const];
  });
  return found.length === 0 ? {} : { [name]: Object.fromEntries(found) };
}
