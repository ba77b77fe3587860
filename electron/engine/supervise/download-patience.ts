import { basename } from 'node:path';
import { familiesOf, readProcessTable } from './process-table.ts';

/** Whether the command first fetches the server it runs, which may take minutes the first time. */
export function isRunner(command: string): boolean {
  const name = nameOf(command);
  return starters.has(name) || becomers.has(name);
}

/**
 * Whether a runner still seems to fetch: it said something lately, or it is one that starts the server as a child and
 * has not done so yet. `npx` downloads in silence, so its lack of a child is the only sign.
 */
export async function seemsDownloading(command: string, pid: number, quietFor: number): Promise<boolean> {
  if (quietFor < recently) return true;
  return starters.has(nameOf(command)) && familiesOf(await readProcessTable())(pid).length <= 1;
}

/** They start the server as a child of theirs. */
const starters: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'uvx', 'uv', 'pipx']);

/** They run the server within themselves or elsewhere. */
const becomers: ReadonlySet<string> = new Set(['bunx', 'bun', 'deno', 'docker', 'podman']);

/** Milliseconds. */
const recently = 15_000;

function nameOf(command: string): string {
  return basename(command)
    .toLowerCase()
    .replace(/\.(cmd|exe|bat|ps1)$/, '');
}
