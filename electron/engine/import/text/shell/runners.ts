/** Returns the name of a program without its folder and extension, in lower case. */
export function baseName(program: string): string {
  return (program.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();
}

interface PackagedCommand {
  readonly name: string;
  /** Arguments after the package. */
  readonly args: readonly string[];
  readonly isPackage: boolean;
  /** True if no word of a sentence would look like this. */
  readonly isSure: boolean;
}

/** The words of a program before the package that it runs, and its options that take a value. */
interface Runner {
  readonly before: readonly (readonly string[])[];
  readonly valued: readonly string[];
  /** Options that name the package. */
  readonly packages?: readonly string[];
  /** Only these options tell a server from the current project. */
  readonly byOption?: true;
}

const npmOptions = {
  valued: ['-p', '--package', '--registry', '-w', '--workspace', '-c', '--call', '--prefix'],
  packages: ['-p', '--package'],
};
const uvOptions = {
  valued: [
    '--from',
    '--with',
    '--python',
    '-p',
    '--directory',
    '--project',
    '--index-url',
    '--index',
    '--extra',
    '--with-editable',
    '--env-file',
    '--default-index',
    '--cache-dir',
    '--refresh-package',
    '--group',
    '--spec',
    '--extra-index-url',
  ],
};

const runners: Readonly<Record<string, Runner>> = {
  npx: { before: [[]], ...npmOptions },
  bunx: { before: [[]], ...npmOptions },
  pnpx: { before: [[]], ...npmOptions },
  npm: { before: [['exec'], ['x']], ...npmOptions },
  pnpm: { before: [['dlx'], ['exec']], ...npmOptions },
  yarn: { before: [['dlx'], ['exec']], ...npmOptions },
  bun: { before: [['x'], ['run'], []], valued: ['--cwd', '--env-file', '--config', '-c'] },
  deno: { before: [['run'], ['x']], valued: ['-c', '--config', '--env-file', '--import-map'] },
  uvx: { before: [[]], ...uvOptions },
  uv: { before: [['run'], ['tool', 'run']], ...uvOptions },
  pipx: { before: [['run']], ...uvOptions },
  nix: { before: [['run']], valued: ['--option'] },
  dnx: { before: [[]], valued: ['--version', '--source'] },
  dotnet: { before: [['run'], ['tool', 'run'], []], valued: ['--project', '-c'] },
  go: { before: [['run']], valued: ['-C', '-mod', '-tags'] },
  cargo: {
    before: [['run']],
    valued: [
      '--bin',
      '--example',
      '-p',
      '--package',
      '--manifest-path',
      '-F',
      '--features',
      '--profile',
      '--target',
    ],
    packages: ['--bin', '--example', '-p', '--package', '--manifest-path'],
    byOption: true,
  },
  poetry: { before: [['run']], valued: ['-C', '--directory', '-P', '--project'] },
  pdm: { before: [['run']], valued: ['-p', '--project'] },
  rye: { before: [['run']], valued: [] },
  hatch: { before: [['run']], valued: ['-e', '--env'] },
  conda: { before: [['run']], valued: ['-n', '--name', '-p', '--prefix'] },
  mamba: { before: [['run']], valued: ['-n', '--name', '-p', '--prefix'] },
  wsl: { before: [[]], valued: ['-d', '--distribution', '-u', '--user', '--cd'] },
  docker: {
    before: [['run'], ['container', 'run'], ['compose', 'run'], ['mcp', 'gateway', 'run'], ['exec']],
    valued: [
      '-e',
      '--env',
      '-v',
      '--volume',
      '--mount',
      '--name',
      '-p',
      '--publish',
      '--network',
      '--net',
      '--env-file',
      '-w',
      '--workdir',
      '-u',
      '--user',
      '--platform',
      '--entrypoint',
      '--pull',
      '--add-host',
      '--label',
      '-l',
      '-m',
      '--memory',
      '--cpus',
      '--cap-drop',
      '--security-opt',
      '--gpus',
      '--cidfile',
      '-h',
      '--hostname',
      '--tmpfs',
      '--userns',
      '-f',
      '--file',
      '--profile',
      '--project-name',
      '--project-directory',
      '--context',
      '-H',
      '--host',
      '--servers',
      '--catalog',
    ],
  },
};

/**
 * Returns the package, module, image or file that a runner starts. Undefined if the program is not a runner.
 */
export function packageOf(name: string, args: readonly string[]): PackagedCommand | undefined {
  const known = name === 'podman' || name === 'nerdctl' ? 'docker' : name;
  const runner = Object.hasOwn(runners, known) ? runners[known] : undefined;
  if (runner === undefined) return undefined;
  const none: PackagedCommand = { name: '', args: [], isPackage: false, isSure: false };
  const before = runner.before
    .map((words) => ({ words, end: endOf(words, args, runner) }))
    .find(({ end }) => end !== undefined);
  if (before?.end === undefined) return none;
  const at = skipOptions(args, before.end, runner);
  const options = args.slice(0, at);
  const given = runner.packages
    ?.map((option) => optionIn(options, option))
    .find((value) => value !== undefined);
  if (runner.byOption === true && !/mcp|server/i.test(given ?? '')) return none;
  const found = given ?? args[at];
  if (found === undefined) {
    // `docker mcp gateway run` and `dotnet run --project` name nothing more.
    const isWhole = before.words.join(' ') === 'mcp gateway run' || options.includes('--project');
    return { ...none, name: before.words.join(' '), isPackage: isWhole, isSure: isWhole };
  }
  const isPackage = /^[@\w~./\\:$%{<-][^\s]*$/.test(found) && !/[!?,;]$/.test(found);
  const isSure = options.length > before.words.length || /[@/\d=-]|mcp|server/i.test(found);
  return { name: found, args: args.slice(given === undefined ? at + 1 : at), isPackage, isSure };
}

/**
 * Returns the end of the words that make up a runner's command: `uv --directory … run`, `docker compose -f …
 * run`.
 */
function endOf(words: readonly string[], args: readonly string[], runner: Runner): number | undefined {
  let at = skipOptions(args, 0, runner);
  for (const [index, word] of words.entries()) {
    if (index > 0) at = skipOptions(args, at, runner);
    if (args[at] !== word) return undefined;
    at += 1;
  }
  return at;
}

function skipOptions(args: readonly string[], from: number, { valued }: Runner): number {
  let at = from;
  while (at < args.length && /^-./.test(args[at] ?? '')) {
    const word = args[at] ?? '';
    if (word === '--') return at + 1;
    at += valued.includes(word) ? 2 : 1;
  }
  return Math.min(at, args.length);
}

export function optionIn(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at === -1
    ? args.find((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1)
    : args[at + 1];
}

export function isPackageName(word: string): boolean {
  return /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:@[\w.^~+-]+)?$/.test(word);
}
