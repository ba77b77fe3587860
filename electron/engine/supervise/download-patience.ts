import { basename } from 'node:path';
import { descendantsOf, readProcessTable } from './process-table.ts';

/** Whether the command first fetches the server it runs, which may take minutes the first time. */
export function isRunner(command: string): boolean {
  return runners.has(
    basename(command)
      .toLowerCase()
      .replace(/\.(cmd|exe|bat|ps1)$/, ''),
  );
}

const runners: ReadonlySet<string> = new Set([
  'npx',
  'npm',
  'pnpm',
  'pnpx',
  'yarn',
  'bunx',
  'bun',
  'uvx',
  'uv',
  'pipx',
  'deno',
  'docker',
  'podman',
]);

/**
 * Whether a runner still seems to fetch: it said something lately, or has started no program yet. `npx` downloads in
 * silence, so its lack of a child is the only sign.
 */
export async function seemsDownloading(pid: number, quietFor: number): Promise<boolean> {
  if (quietFor < recently) return true;
  return descendantsOf(await readProcessTable(), pid).length === 0;
}

const recently = 15_000;
