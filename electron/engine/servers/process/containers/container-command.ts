import { win32 } from 'node:path';
import { isSecretName } from '../../../base/mask/secret-name.ts';

/** Parsed command line that starts a container. */
export interface ContainerCommand {
  /**
   * Arguments before the verb: the path to the program and its general options. They work with any other verb
   * too.
   */
  readonly general: readonly string[];
  /** Number of arguments before the options of `run`. */
  readonly optionsAt: number;
  readonly isCompose: boolean;
  /** True if the tool runs on another machine or system, with files of its own. */
  readonly isElsewhere: boolean;
  /** Name of the tool that removes the container, if it is not the command itself. */
  readonly remover?: string;
  /** `--name` of `run`; options after the image belong to the container. */
  readonly name?: string;
  readonly cidfile?: string;
  readonly removesItself: boolean;
}

/** Parses a command line. Returns undefined if it is not a `run`, or is not understood. */
export function readContainerCommand(command: string, args: readonly string[]): ContainerCommand | undefined {
  return readVerb(command, args, 'run');
}

/** Finds the verb of a command line whose container gets no input, and the option used instead of `-i`. */
export function findMissingInput(
  command: string,
  args: readonly string[],
): { readonly verb: 'run' | 'exec'; readonly instead?: '-d' | '-t' } | undefined {
  for (const verb of ['run', 'exec'] as const) {
    const found = readVerb(command, args, verb);
    // Compose always attaches input.
    if (found === undefined || found.isCompose) continue;
    const { flags } = readRunOptions(args, found.optionsAt) ?? {};
    if (flags?.has('d')) return { verb, instead: '-d' };
    if (flags?.has('i')) return undefined;
    return { verb, ...(flags?.has('t') ? { instead: '-t' } : {}) };
  }
  return undefined;
}

function readVerb(command: string, args: readonly string[], verb: string): ContainerCommand | undefined {
  const start = findTool(command, args);
  if (start === undefined) return undefined;
  const { engine, isElsewhere } = start;
  const verbAt =
    engine === undefined ? skipOptions(args, start.next, generalOptions[start.tool]) : start.next - 1;
  if (verbAt === undefined) return undefined;
  const compose = engine !== undefined || args[verbAt] === 'compose';
  const nextVerbAt = compose
    ? skipOptions(args, verbAt + 1, composeOptions)
    : args[verbAt] === 'container'
      ? verbAt + 1
      : verbAt;
  if (nextVerbAt === undefined || args[nextVerbAt] !== verb) return undefined;
  const optionsAt = nextVerbAt + 1;
  const found = readRunOptions(args, optionsAt);
  if (found === undefined) return undefined;
  const { flags: _, ...rest } = found;
  const before = withoutEnvironment(args, start.next, Math.max(verbAt, 0));
  const isWrapped = start.next > 0;
  return {
    general: engine !== undefined && isWrapped ? [...before, engine] : before,
    optionsAt,
    isCompose: compose,
    isElsewhere,
    ...(engine === undefined || isWrapped ? {} : { remover: engine }),
    ...rest,
    // Apple's tool has no option for volumes.
    removesItself: rest.removesItself && start.tool !== 'apple',
  };
}

/** Leaves out variables set for the started program, which may be secret; see {@link isLocationVariable}. */
export function withoutEnvironment(
  args: readonly string[],
  toolEnd: number,
  verbAt: number,
): readonly string[] {
  const isOther = (arg: string, index: number) => {
    // An option of ssh.
    if (args[index - 1] === '-o') return false;
    const name = assignment.exec(arg)?.[1];
    return name !== undefined && !isLocationVariable(name);
  };
  return args.slice(0, verbAt).filter((arg, index) => index >= toolEnd || !isOther(arg, index));
}

export function isLocationAssignment(word: string): boolean {
  const name = assignment.exec(word)?.[1];
  return name !== undefined && isLocationVariable(name);
}

/** Tells whether a variable says where a tool finds its containers. */
export function isLocationVariable(name: string): boolean {
  return locationVariables.test(name) && !isSecretName(name);
}

const locationVariables =
  /^(?:(?:DOCKER|CONTAINER|CONTAINERD|NERDCTL|PODMAN|XDG)_\w+|CONTAINERS_CONF|PATH|HOME)$/i;
const assignment = /^([A-Za-z_]\w{0,100})=/;

type Tool = 'docker' | 'podman' | 'nerdctl' | 'apple';

const tools: Readonly<Record<string, Tool>> = {
  docker: 'docker',
  podman: 'podman',
  'podman-remote': 'podman',
  nerdctl: 'nerdctl',
  finch: 'nerdctl',
  container: 'apple',
};

/** Programs that are only `compose`, with the tool that removes their containers. */
const composeTools: Readonly<Record<string, Tool>> = {
  'docker-compose': 'docker',
  'podman-compose': 'podman',
};

/** The tool of a command line. */
interface FoundTool {
  readonly tool: Tool;
  /** Index of its first argument. */
  readonly next: number;
  readonly isElsewhere: boolean;
  /** The tool that removes, for programs that are only `compose`. */
  readonly engine?: Tool;
}

/**
 * Finds the tool, and where its own arguments begin. It may be wrapped by `sudo`, `nice`, `cmd /c` and
 * others, also nested.
 */
function findTool(command: string, args: readonly string[]): FoundTool | undefined {
  const { name, next, isElsewhere } = unwrapCommand(command, args);
  const engine = composeTools[name];
  const tool = tools[name] ?? engine;
  return tool === undefined
    ? undefined
    : { tool, next, isElsewhere, ...(engine === undefined ? {} : { engine }) };
}

/** Returns the program that wrappers start in the end, by its plain name, and the index of its first argument. */
export function unwrapCommand(
  command: string,
  args: readonly string[],
  next = 0,
): { readonly name: string; readonly next: number; readonly isElsewhere: boolean } {
  const name = programName(command);
  const at = wrappers[name]?.(args, next);
  const wrapped = at === undefined ? undefined : args[at];
  if (wrapped === undefined || at === undefined) return { name, next, isElsewhere: false };
  const inner = unwrapCommand(wrapped, args, at + 1);
  return { ...inner, isElsewhere: inner.isElsewhere || elsewhere.has(name) };
}

function programName(command: string): string {
  return win32
    .basename(command)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com|lima)$/, '');
}

type WrapperParser = (args: readonly string[], from: number) => number | undefined;

/** Reads options; only the listed ones take a value. */
const skipOptionsWith =
  (...valued: readonly string[]): WrapperParser =>
  (args, from) =>
    skipOptions(args, from, valued, true);

/** Wrapper programs, each with a function that finds the wrapped program in their arguments. */
const wrappers: Readonly<Record<string, WrapperParser>> = {
  sudo: (args, from) => skipAssignments(args, skipOptionsWith(...'ugpCTURDrt')(args, from)),
  doas: skipOptionsWith('u', 'C'),
  env: (args, from) => skipAssignments(args, skipOptionsWith('u', 'unset', 'C', 'chdir')(args, from)),
  cmd: (args, from) => orUndefined(args.findIndex((arg, index) => index >= from && !arg.startsWith('/'))),
  nice: skipOptionsWith('n', 'adjustment'),
  ionice: skipOptionsWith('c', 'class', 'n', 'classdata'),
  nohup: skipOptionsWith(),
  setsid: skipOptionsWith(),
  stdbuf: skipOptionsWith('i', 'o', 'e', 'input', 'output', 'error'),
  time: skipOptionsWith('f', 'o'),
  timeout: afterOperand(skipOptionsWith('s', 'signal', 'k', 'kill-after')),
  caffeinate: skipOptionsWith('t', 'w'),
  'flatpak-spawn': skipOptionsWith(),
  pkexec: skipOptionsWith('user'),
  unbuffer: skipOptionsWith(),
  winpty: skipOptionsWith(),
  rootlesskit: skipOptionsWith(),
  arch: skipOptionsWith('e', 'd'),
  taskset: afterOperand(skipOptionsWith()),
  chrt: afterOperand(skipOptionsWith('T', 'P', 'D')),
  proxychains: skipOptionsWith('f'),
  proxychains4: skipOptionsWith('f'),
  direnv: afterOperand(afterVerb('exec')),
  asdf: afterVerb('exec'),
  powershell: afterCommandOption,
  pwsh: afterCommandOption,
  wsl: skipOptionsWith('d', 'distribution', 'u', 'user', 'cd'),
  ssh: afterOperand(skipOptionsWith(...'BbcDEeFIiJLlmOopQRSWw')),
  lima: skipOptionsWith(),
  limactl: afterOperand(afterVerb('shell', 'workdir', 'shell', 'log-level')),
  colima: (args, from) => {
    const at = skipOptionsWith('p', 'profile')(args, from);
    if (at !== undefined && args[at] === 'ssh') return afterDashes(args, at);
    // Without the dashes it would take our options for its own.
    return at !== undefined && args[at + 1] === '--' ? at : undefined;
  },
  multipass: afterDashes,
  orb: skipOptionsWith('m', 'machine', 'u', 'user', 'w', 'workdir'),
  rdctl: afterVerb('shell'),
  'host-spawn': skipOptionsWith(),
  'distrobox-host-exec': skipOptionsWith(),
  op: afterDashes,
  dotenv: afterDashes,
  dotenvx: afterDashes,
  'aws-vault': afterDashes,
  bws: afterDashes,
  chamber: afterDashes,
  doppler: afterDashes,
  infisical: afterDashes,
  teller: afterDashes,
  mise: afterDashes,
  'systemd-inhibit': afterDashes,
};

/** Programs that set variables or secrets have verbs and options of their own, and `--` before the command. */
function afterDashes(args: readonly string[], from: number): number | undefined {
  const at = args.indexOf('--', from);
  return at < 0 ? undefined : at + 1;
}

/** Wrappers whose command has files of its own. */
const elsewhere: ReadonlySet<string> = new Set([
  'wsl',
  'ssh',
  'lima',
  'limactl',
  'colima',
  'multipass',
  'orb',
  'rdctl',
  'flatpak-spawn',
  'host-spawn',
  'distrobox-host-exec',
]);

/** Reads one more argument before the command: a host, a folder, a duration. */
function afterOperand(parse: WrapperParser): WrapperParser {
  return (args, from) => {
    const at = parse(args, from);
    return at === undefined ? undefined : at + 1;
  };
}

/** Reads a verb and its options; those in `valued` take a value. */
function afterVerb(verb: string, ...valued: readonly string[]): WrapperParser {
  return (args, from) => {
    const at = skipOptions(args, from, [], true);
    return at !== undefined && args[at] === verb ? skipOptions(args, at + 1, valued, true) : undefined;
  };
}

/** Finds the command of PowerShell; without the option it would be a script file. */
function afterCommandOption(args: readonly string[], from: number): number | undefined {
  const at = args.findIndex((arg, index) => index >= from && /^-c(?:ommand)?$/i.test(arg));
  return at < 0 ? undefined : at + 1;
}

function orUndefined(at: number): number | undefined {
  return at < 0 ? undefined : at;
}

function skipAssignments(args: readonly string[], from: number | undefined): number | undefined {
  if (from === undefined) return undefined;
  const at = args.findIndex((arg, index) => index >= from && !assignment.test(arg));
  return at < 0 ? undefined : at;
}

/**
 * Options before the verb, by tool. Those in `valued` take a value, those in `flags` take none; any other is
 * not understood.
 */
interface GeneralOptions {
  readonly valued: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const generalOptions: Readonly<Record<Tool, GeneralOptions>> = {
  docker: {
    valued: wordSet('config context c host H log-level l tlscacert tlscert tlskey'),
    flags: wordSet('debug D tls tlsverify'),
  },
  podman: {
    valued: wordSet(
      'cdi-spec-dir cgroup-manager config conmon connection c events-backend hooks-dir identity imagestore log-level module namespace network-cmd-path network-config-dir out root runroot runtime runtime-flag ssh storage-driver storage-opt tmpdir url volumepath',
    ),
    flags: wordSet('noout remote r syslog trace transient-store'),
  },
  apple: { valued: wordSet('log-level'), flags: wordSet('debug') },
  nerdctl: {
    valued: wordSet(
      'address a host H bridge-ip cdi-spec-dirs cgroup-manager cni-netconfpath cni-path data-root host-gateway-ip hosts-dir namespace n snapshotter storage-driver userns-remap',
    ),
    flags: wordSet('debug debug-full experimental insecure-registry kube-hide-dupe'),
  },
};

const composeOptions: GeneralOptions = {
  valued: wordSet('ansi env-file file f parallel profile progress project-directory project-name p'),
  flags: wordSet('all-resources compatibility dry-run'),
};

/**
 * Returns the index after the options, or undefined if one is unknown. With a plain list, only the listed
 * options take a value, and all options are accepted.
 */
function skipOptions(
  args: readonly string[],
  from: number,
  known: GeneralOptions | readonly string[],
  acceptsUnknown = false,
): number | undefined {
  for (let at = from; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') return at + 1;
    if (!arg.startsWith('-') || arg === '-') return at;
    if (arg.includes('=')) continue;
    const letter = /^-[A-Za-z].+/.test(arg) ? arg.charAt(1) : '';
    // A short option may be followed by its value at once.
    if (letter !== '' && 'valued' in known && known.valued.has(letter)) continue;
    const name = arg.replace(/^--?/, '');
    const isValued = 'valued' in known ? known.valued.has(name) : known.includes(name);
    const isFlag = 'flags' in known ? known.flags.has(name) : acceptsUnknown;
    if (!isValued && !isFlag) return undefined;
    if (isValued) at += 1;
  }
  return undefined;
}

/** Options of `run` without a value; all others take one. */
const runFlags = wordSet(
  'build detach disable-content-trust dry-run env-host help http-proxy init insecure-registry interactive no-TTY no-deps no-dns no-healthcheck no-hostname no-hosts oom-kill-disable passwd privileged publish-all quiet quiet-build quiet-pull read-only read-only-tmpfs remove remove-orphans replace rm rmi rootfs rosetta service-ports sig-proxy ssh tls-verify tty unsetenv-all use-aliases use-api-socket virtualization',
);
const shortFlags = 'diqtPT';

function readRunOptions(
  args: readonly string[],
  from: number,
):
  | (Pick<ContainerCommand, 'name' | 'cidfile' | 'removesItself'> & { readonly flags: ReadonlySet<string> })
  | undefined {
  const found = new Map<string, string>();
  const short = new Set<string>();
  let at = from;
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') at += 1;
    if (arg === '--' || !arg.startsWith('-') || arg === '-') break;
    if (!arg.startsWith('--')) {
      for (const letter of flagsOf(arg)) short.add(letter);
      if (takesNext(arg)) at += 1;
      continue;
    }
    const [, name = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (value !== undefined) found.set(name, value);
    else if (runFlags.has(name)) found.set(name, 'true');
    else {
      at += 1;
      found.set(name, args[at] ?? '');
    }
  }
  // Without an image, nothing is started.
  if (at >= args.length) return undefined;
  const [name, cidfile] = [found.get('name'), found.get('cidfile')];
  const isOn = (option: string) => ['true', '1', 't', 'T', 'TRUE', 'True'].includes(found.get(option) ?? '');
  const long = ['detach', 'interactive', 'tty'].filter(isOn).map((option) => option.charAt(0));
  return {
    flags: new Set([...short, ...long]),
    removesItself: isOn('rm'),
    ...(name === undefined ? {} : { name }),
    ...(cidfile === undefined ? {} : { cidfile }),
  };
}

/**
 * Returns the short options of a group that take no value: all before the first that takes the rest of the
 * group as its value.
 */
function flagsOf(row: string): readonly string[] {
  const letters = [...row.slice(1)];
  const at = letters.findIndex((letter) => !shortFlags.includes(letter));
  return at < 0 ? letters : letters.slice(0, at);
}

/**
 * In a group of short options, the first that takes a value gets the rest of the group, or else the next
 * argument.
 */
function takesNext(row: string): boolean {
  const letters = [...row.slice(1)];
  const at = letters.findIndex((letter) => !shortFlags.includes(letter));
  return at >= 0 && at === letters.length - 1;
}
