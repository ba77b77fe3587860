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
  const verbAt = skipOptions(args, start.next, generalOptions[start.tool]);
  if (verbAt === undefined) return undefined;
  const compose = args[verbAt] === 'compose';
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
  return { general: withoutEnvironment(args, start.next, verbAt), optionsAt, isCompose: compose, ...rest };
}

/** Leaves out variables set for the started program, which may be secret; see {@link isLocationVariable}. */
function withoutEnvironment(args: readonly string[], toolEnd: number, verbAt: number): readonly string[] {
  const isOther = (arg: string) => {
    const name = assignment.exec(arg)?.[1];
    return name !== undefined && !isLocationVariable(name);
  };
  return args.slice(0, verbAt).filter((arg, index) => index >= toolEnd || !isOther(arg));
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

type Tool = 'docker' | 'podman' | 'nerdctl';

const tools: Readonly<Record<string, Tool>> = {
  docker: 'docker',
  podman: 'podman',
  'podman-remote': 'podman',
  nerdctl: 'nerdctl',
  finch: 'nerdctl',
};

/**
 * Finds the tool, and where its own arguments begin. It may be wrapped by `sudo`, `nice`, `cmd /c` and
 * others, also nested.
 */
function findTool(
  command: string,
  args: readonly string[],
  from = 0,
): { readonly tool: Tool; readonly next: number } | undefined {
  const name = programName(command);
  const tool = tools[name];
  if (tool !== undefined) return { tool, next: from };
  const at = wrappers[name]?.(args, from);
  const wrapped = at === undefined ? undefined : args[at];
  return wrapped === undefined || at === undefined ? undefined : findTool(wrapped, args, at + 1);
}

function programName(command: string): string {
  return win32
    .basename(command)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '');
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
  timeout: (args, from) => {
    const duration = skipOptionsWith('s', 'signal', 'k', 'kill-after')(args, from);
    return duration === undefined ? undefined : duration + 1;
  },
  caffeinate: skipOptionsWith('t', 'w'),
  'flatpak-spawn': skipOptionsWith(),
  wsl: skipOptionsWith('d', 'distribution', 'u', 'user', 'cd'),
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
  'build detach disable-content-trust dry-run env-host help http-proxy init insecure-registry interactive no-TTY no-deps no-healthcheck no-hostname no-hosts oom-kill-disable passwd privileged publish-all quiet quiet-build quiet-pull read-only read-only-tmpfs remove-orphans replace rm rmi rootfs service-ports sig-proxy tls-verify tty unsetenv-all use-aliases use-api-socket',
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
