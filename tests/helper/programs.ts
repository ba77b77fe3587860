import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The built commands, as users run them. */
export const programs = {
  patchbay: here('../../dist/bin/patchbay.mjs'),
  bridge: here('../../dist/bin/patchbay-bridge.mjs'),
  aggregator: here('../../dist/bin/mcp-simple-aggregator.mjs'),
  /** Not for people: the thread that a hub starts to keep the activity. */
  activityWorker: new URL('../../dist/bin/activity-worker.mjs', import.meta.url),
} as const;

/** A fixture program under tests/fixture, by its name without ending. */
export const fixture = (name: string): string => here(`../fixture/${name}.mjs`);

/** A real MCP server from npm, by the last part of its package name. */
export const realServer = (name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking'): string =>
  here(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

/** An entry of `mcpServers` that runs a program with this Node. */
export const nodeEntry = (program: string, ...args: string[]) => ({
  command: process.execPath,
  args: [program, ...args],
});
