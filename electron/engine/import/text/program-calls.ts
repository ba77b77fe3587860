// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import type { Entry } from './dialects.ts';

/** Names that only MCP clients use; much other code starts programs too. */
const clients =
  /\b(?:CommandTransport|StdioMcpTransport|StdioClientTransport|TokioChildProcess|NewStdioMCPClient\w{0,20}|ServerParameters\.builder)\b/;
/** Matches the start of a program in Go, Rust, Java or Kotlin, before its words. */
const starts =
  /exec\.Command(?:Context)?\(\s{0,20}(?:\w{1,20}\s{0,5},\s{0,20})?(?=")|NewStdioMCPClient\w{0,20}\(\s{0,20}(?=")|Command::new\(\s{0,20}(?=")|ServerParameters\.builder\(\s{0,20}(?=")|\.command\(\s{0,20}(?:(?:List\.of|Arrays\.asList|listOf)\(\s{0,20})?(?=")|ProcessBuilder\(\s{0,20}(?:listOf\(\s{0,20})?(?=")/g;
const word = /\s*"((?:[^"\\\n]|\\.){0,1000})"\s*,?/y;
/** mcp-go puts the variables between the program and its arguments. */
const between = /\s*(?:nil|\[\]string\{([^{}]{0,1000})\})\s*,?/y;
const further = /\.args?\(\s{0,20}(?:&?\[|vec!\[|(?:List\.of|listOf)\()?\s{0,20}(?=")/g;
const pairs =
  /"([A-Z_][A-Z0-9_]{0,100})"\s{0,20},\s{0,20}(?:"([^"\n]{0,1000})"|[\w.:]{0,40}(?:getenv|Getenv|env::var)\(\s{0,5}"([^"\n]{1,100})")/g;
const maxCallLength = 1000;
const maxCalls = 20;

/** Returns servers that a program in Go, Rust, Java or Kotlin starts; undefined for any other text. */
export function serversInProgramCalls(text: string): readonly Entry[] | undefined {
  if (!clients.test(text)) return undefined;
  const calls = [...text.matchAll(starts)].slice(0, maxCalls);
  const found = calls.flatMap(({ index, 0: start }, at) => {
    const end = Math.min(calls[at + 1]?.index ?? text.length, index + maxCallLength);
    const entry = entryIn(text.slice(index + start.length, end));
    return entry === undefined ? [] : [entry];
  });
  return found.length === 0 ? undefined : found;
}

function entryIn(call: string): Entry | undefined {
  const first = wordsAt(call, 0, 1);
  between.lastIndex = first.end;
  const listed = between.exec(call);
  const own = wordsAt(call, listed === null ? first.end : first.end + listed[0].length);
  const rest = [...call.matchAll(further)].flatMap(
    ({ index, 0: start }) => wordsAt(call, index + start.length).words,
  );
  const [command] = first.words;
  if (command === undefined || command === '') return undefined;
  const set = (listed?.[1] ?? '').matchAll(/"([A-Za-z_]\w{0,100})=([^"\n]{0,1000})"/g);
  const env = Object.fromEntries([
    ...[...set].map(([, name = '', value = '']) => [name, value] as const),
    ...[...call.matchAll(pairs)].map(
      ([, name = '', value, variable]) => [name, value ?? `\${${variable}}`] as const,
    ),
  ]);
  return {
    command,
    args: [...own.words, ...rest],
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

function wordsAt(
  text: string,
  from: number,
  maxWords = 50,
): { readonly words: readonly string[]; readonly end: number } {
  const words: string[] = [];
  let end = from;
  while (words.length < maxWords) {
    word.lastIndex = end;
    const found = word.exec(text);
    if (found === null) break;
    words.push((found[1] ?? '').replace(/\\(["\\])/g, '$1'));
    end += found[0].length;
  }
  return { words, end };
}
