/** Matches `A=b C="d e" ` before a command. */
const assignments =
  /(?:[A-Za-z_]\w{0,80}=(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|[^\s"'`]{0,500})[ \t]{1,5}){0,10}/.source;
const launch = new RegExp(
  `(?<=[\\s:(])(?:${assignments}(?:npx|bunx|pnpx|uvx|pnpm dlx|docker run)[ \\t]+(?=[-@\\w])|export[ \\t]+(?=[A-Za-z_]\\w*=))`,
  'g',
);
const addition = new RegExp(
  `(?<=^|[\\s:(])${assignments}(?:[\\w.-]{2,30}[ \\t]+|/)mcp[ \\t]+add(?:-json)?[ \\t]+`,
);

const maxCommands = 20;
const maxCommandLength = 1000;

/** Returns the commands in sentences, one per line: `Run npx -y kite-mcp to start it`. */
export function commandsInProse(text: string): string {
  const starts = [...text.matchAll(launch)].slice(0, maxCommands);
  return (
    starts
      .map(({ index }) => text.slice(index, index + maxCommandLength).split('\n', 1)[0] ?? '')
      // A command that continues on the next line is code.
      .filter((line) => !/[\\^`]$/.test(line))
      .map(cutAtProse)
      .join('\n')
  );
}

/** Cuts a command where the sentence continues. Quoted text and angle brackets belong to it. */
function cutAtProse(line: string): string {
  const plain = line.replace(/"[^"\n]*"|'[^'\n]*'|<[^<>\n]*>/g, (whole) => '"'.repeat(whole.length));
  return line.slice(0, proseContinues.exec(plain)?.index);
}

const proseContinues =
  /[ \t](?:(?:to|and|then|or|in|for|on|with|as|if|after|before|is|will|which|so|when|from|at|by|via|using)[ \t]|\()|[.,;:!?)]{1,3}(?:\s|$)/;

const span = /`([^`\n]{1,2000})`/g;

/** Returns the text between backticks in a line. */
export function spansOf(text: string): readonly string[] {
  return [...text.matchAll(span)].map(([, code = '']) => code);
}

/** Puts each command that adds a server on its own line, even if prose or backticks surround it. */
export function withCommandsOnLines(text: string, mayAdd: RegExp): string {
  return text
    .replace(span, (whole, code) => (mayAdd.test(code) ? `\n${code}\n` : whole))
    .split('\n')
    .map(commandInLine)
    .join('\n');
}

function commandInLine(line: string): string {
  const found = addition.exec(line);
  if (found === null || !isProse(line.slice(0, found.index))) return line;
  const spoken = cutAtProse(line.slice(found.index));
  return looksLikeCommand.test(spoken.slice(found[0].length)) ? spoken : '';
}

/**
 * Returns whether the words before a command are part of a sentence, rather than a prompt or a part of the
 * command.
 */
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

/** Matches more than plain words: an option, a path, an address, a launcher, a package name. */
const looksLikeCommand = /[/\\{<$@]|(?:^|\s)-|mcp|server|\b(?:npx|bunx|uvx?|node|python3?|docker)\b/;
