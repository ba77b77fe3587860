/** `A=b C="d e" ` before a command. */
const assignments =
  /(?:[A-Za-z_]\w{0,80}=(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|[^\s"'`]{0,500})[ \t]{1,5}){0,10}/.source;
const launch = new RegExp(
  `(?<=[\\s:(])(?:${assignments}(?:npx|bunx|pnpx|uvx|pnpm dlx|docker run)[ \\t]+(?=[-@\\w])|export[ \\t]+(?=[A-Za-z_]\\w*=))`,
  'g',
);
const addition = new RegExp(
  `(?<=^|[\\s:(])${assignments}(?:[\\w.-]{2,30}[ \\t]+|/)mcp[ \\t]+add(?:-json)?[ \\t]+`,
);

const maxSpoken = 20;
const longestSpoken = 1000;

/** `Run npx -y kite-mcp to start it`: the commands in sentences, one a line. */
export function spokenCommands(text: string): string {
  const starts = [...text.matchAll(launch)].slice(0, maxSpoken);
  return (
    starts
      .map(({ index }) => text.slice(index, index + longestSpoken).split('\n', 1)[0] ?? '')
      // A command that goes on in the next line is code.
      .filter((line) => !/[\\^`]$/.test(line))
      .map(spokenPart)
      .join('\n')
  );
}

/** A command in a sentence ends where the sentence goes on. What stands between quotes or angles belongs to it. */
function spokenPart(line: string): string {
  const plain = line.replace(/"[^"\n]*"|'[^'\n]*'|<[^<>\n]*>/g, (whole) => '"'.repeat(whole.length));
  return line.slice(0, ends.exec(plain)?.index);
}

const ends =
  /[ \t](?:(?:to|and|then|or|in|for|on|with|as|if|after|before|is|will|which|so|when|from|at|by|via|using)[ \t]|\()|[.,;:!?)]{1,3}(?:\s|$)/;

const span = /`([^`\n]{1,2000})`/g;

/** Text between backticks in a line. */
export function spansOf(text: string): readonly string[] {
  return [...text.matchAll(span)].map(([, code = '']) => code);
}

/** A text in which each command that adds a server has its line to itself, also where prose or backticks are around it. */
export function withSpokenAdditions(text: string, mayAdd: RegExp): string {
  return text
    .replace(span, (whole, code) => (mayAdd.test(code) ? `\n${code}\n` : whole))
    .split('\n')
    .map(spokenAddition)
    .join('\n');
}

function spokenAddition(line: string): string {
  const found = addition.exec(line);
  if (found === null || !isProse(line.slice(0, found.index))) return line;
  const spoken = spokenPart(line.slice(found.index));
  return worthReading.test(spoken.slice(found[0].length)) ? spoken : '';
}

/** Whether these words before a command are part of a sentence, rather than a prompt or a part of the command. */
function isProse(before: string): boolean {
  const words = before
    .split(/[;&|]/)
    .at(-1)
    ?.replace(/^[\s>*•\d.)-]+/, '')
    .trim();
  return (
    words !== undefined &&
    /^\p{L}/u.test(words) &&
    /[\p{L}\p{N},:.([*"']$/u.test(words) &&
    !/^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|uvx?|docker|podman|sudo|env|exec|time|wsl|cmd|powershell|pwsh|bash|sh|zsh|ssh|echo|call|start|cross-env)\s/.test(
      `${words} `,
    )
  );
}

/** Something that is more than words: an option, a path, an address, a launcher, a package of such a name. */
const worthReading = /[/\\{<$@]|(?:^|\s)-|mcp|server|\b(?:npx|bunx|uvx?|node|python3?|docker)\b/;
