/** Splits a command line into words as a shell would: spaces separate, quotes and backslashes escape. */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  const pattern = /\s*((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+)/gy;
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    words.push(unquote(match[1] ?? ''));
  }
  return words;
}

/** Keeps the backslashes of a Windows path: outside quotes they escape only spaces and quotes. */
function unquote(word: string): string {
  return word.replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\([\s"'])/g,
    (_all, double: string | undefined, single: string | undefined, escaped: string | undefined) =>
      double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? '',
  );
}

/**
 * Splits the command line of a known launcher; undefined for anything else, because a path may contain
 * spaces.
 */
export function splitLauncherCommand(
  line: string,
): readonly [program: string, ...args: string[]] | undefined {
  const [program, ...args] = splitCommand(line.trim());
  if (program === undefined || args.length === 0 || !launchers.has(program)) return undefined;
  return [program, ...args];
}

const launchers: ReadonlySet<string> = new Set([
  'npx',
  'uvx',
  'uv',
  'node',
  'bunx',
  'bun',
  'deno',
  'pnpm',
  'python',
  'python3',
  'docker',
  'podman',
  'nerdctl',
  'pnpx',
  'pipx',
  'dnx',
  'tsx',
  'npm',
  'yarn',
  'go',
  'java',
  'jbang',
  'dotnet',
  'cargo',
  'ruby',
  'php',
  'poetry',
  'wsl',
]);
