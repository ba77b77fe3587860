import type { ServerView } from './server.ts';

/** Describes the progress of a starting server: its last output, or what its command suggests. */
export function startingText({ target, transport, starting }: StartingParts): string {
  const line = starting?.line ?? '';
  const packageName = /(?:will be installed: |following packages?: )(\S{1,200})/.exec(line)?.[1];
  if (packageName !== undefined) return `npm is downloading ${packageName}`;
  const image = /Unable to find image '([^']{1,200})' locally/.exec(line)?.[1];
  if (image !== undefined) return `Docker is downloading ${image}`;
  if (line !== '' && !/^npm (?:error|ERR!|notice) /.test(line)) return line;
  if (transport !== 'stdio') return 'waiting for its first response';
  const [command = '', ...args] = target.split(' ');
  const title = packageRunnerTitle(command);
  if (title === undefined) return 'no output yet';
  const subject = args.find((arg) => !arg.startsWith('-') && !subcommands.has(arg));
  return `${title} is downloading or starting ${subject ?? 'the server'}`;
}

/** Returns the title of a program that may download a package before starting it; undefined for others. */
export function packageRunnerTitle(command: string): string | undefined {
  const name = command.split(/[\\/]/).at(-1) ?? command;
  return packageRunners[name.replace(/\.(?:cmd|exe)$/i, '')];
}

type StartingParts = Pick<ServerView, 'target' | 'transport' | 'starting'>;

const packageRunners: Readonly<Partial<Record<string, string>>> = {
  npx: 'npx',
  bunx: 'bunx',
  uvx: 'uvx',
  pipx: 'pipx',
  pnpm: 'pnpm',
  docker: 'Docker',
  podman: 'Podman',
};

const subcommands: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'tool', 'x']);
