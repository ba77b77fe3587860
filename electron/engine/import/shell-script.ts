/**
 * Returns the options of the shell that runs the word after these ones as a script: `bash -lc …`, also inside
 * a container.
 */
export function shellOptions(words: readonly string[]): readonly string[] | undefined {
  if (!/^-[a-z]{0,4}c$|^-command$|^\/c$/i.test(words.at(-1) ?? '')) return undefined;
  const at = words.findLastIndex((word) => shellProgram.test(word));
  const [first = '', ...others] = words.slice(at + 1);
  const isShells = /(?:powershell|pwsh)(?:\.exe)?$/i.test(words[at] ?? '') || others.every(isOption);
  return at !== -1 && isOption(first) && isShells ? [first, ...others] : undefined;
}

const shellProgram = /(?:^|[\\/])(?:sh|bash|zsh|dash|ksh|fish|cmd|powershell|pwsh)(?:\.exe)?$/i;

function isOption(word: string): boolean {
  return /^[-/][\w-]{1,20}$/.test(word);
}

/**
 * Escapes the shell's own variables in a script, so that our config leaves them alone: those that it sets
 * itself, those that the entry sets, and those that every shell knows. Other names stay references.
 */
export function escapeShellVariables(
  script: string,
  own: ReadonlySet<string>,
  options: readonly string[],
): string {
  const set = assignedNames(script);
  const isLogin = options.some((option) => /^-[a-z]{0,3}[il][a-z]{0,3}$|^--login$/.test(option));
  const isShells = (name: string) => own.has(name) || set.has(name) || shellVariables.has(name);
  return script.replace(
    /(?<!\$)\$(?:\{([A-Za-z_]\w*)(?![\w.]|:[^-+=?])|([A-Za-z_]\w*))/g,
    (written, braced?: string, plain?: string) => {
      const name = braced ?? plain ?? '';
      // Lower-case names usually belong to scripts; in braces they may be another program's.
      const isLikely = isLogin || (braced === undefined && /[a-z]/.test(name));
      return isShells(name) || (isLikely && !foreignNames.test(name)) ? `$${written}` : written;
    },
  );
}

/** Returns the names that a script assigns, except those assigned from outside. */
function assignedNames(script: string): ReadonlySet<string> {
  const found = script.matchAll(
    /(?<![\w$-])(?:for\s+([A-Za-z_]\w*)\s|read\s+(?:-\w\s+)?([A-Za-z_]\w*)|([A-Za-z_]\w*)=(?!["']?\$\{?\3\b))/g,
  );
  return new Set([...found].map(([, each, read, name]) => each ?? read ?? name ?? ''));
}

const shellVariables: ReadonlySet<string> = new Set([
  ...['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'OLDPWD', 'TMPDIR', 'HOSTNAME', 'UID'],
  ...['RANDOM', 'IFS', 'PPID', 'LINENO', 'OSTYPE', 'BASH_SOURCE'],
]);

/** Names that begin references of clients. */
const foreignNames =
  /^(?:workspaceFolder|workspaceFolderBasename|workspaceRoot|userHome|pathSeparator|__dirname|extensionPath)$/;
