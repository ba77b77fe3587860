import { basename } from 'node:path';
import { familiesOf, readProcessTable } from './process-table.ts';

/** Tells whether the command first downloads the server it runs, which may take minutes the first time. */
export function isRunner(command: string): boolean {
  const name = nameOf(command);
  return childRunners.has(name) || inPlaceRunners.has(name);
}

/**
 * Tells whether a runner still seems to download: it printed something recently, or it has not started the
 * server as a child yet. `npx` downloads silently, so the missing child is the only sign.
 */
export async function seemsDownloading(command: string, pid: number, silentMs: number): Promise<boolean> {
  if (silentMs < recentMs) return true;
  return childRunners.has(nameOf(command)) && familiesOf(await readProcessTable())(pid).length <= 1;
}

/** Runners that start the server as a child. */
const childRunners: ReadonlySet<string> = new Set([
  'npx',
  'npm',
  'pnpm',
  'pnpx',
  'yarn',
  'uvx',
  'uv',
  'pipx',
]);

/** Runners that become the server, or run it elsewhere. */
const inPlaceRunners: ReadonlySet<string> = new Set(['bunx', 'bun', 'deno', 'docker', 'podman']);

/** Milliseconds. */
const recentMs = 15_000;

function nameOf(command: string): string {
  return basename(command)
    .toLowerCase()
    .replace(/\.(cmd|exe|bat|ps1)$/, '');
}
