import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export const root = here('../../../');

/** Programs of the bench itself. */
export const program = (name) => here(`../program/${name}.mjs`);

/** Our built commands. */
export const command = (name) => here(`../../../dist/bin/${name}.mjs`);

/** Folder in which peers are installed once; outside the repository. */
export const peerCache = join(tmpdir(), 'patchbay-bench-peers');

export const document = here('../../../docs/benchmarks.md');

/** An `mcpServers` entry of one of the bench's servers. */
export const child = (kind, tools = 1) => ({
  command: process.execPath,
  args: [program(`${kind}-child`), String(tools)],
});
