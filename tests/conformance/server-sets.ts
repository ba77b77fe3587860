import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programs } from '../helper/programs.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { noise, referenceEntry, settled, startHub, startReference } from './programs.ts';
import { startStdioShim } from './stdio-shim.ts';
import type { Outcome, ScoredSet, Suite } from './suite.ts';
import { startTokenProxy } from './token-proxy.ts';
import { within } from './within.ts';

/** The server scenarios: directly, and through every way a client can take to the same server. */
export function serverSets(suite: Suite): readonly ScoredSet[] {
  const set = (name: string, run: () => Promise<readonly Outcome[]>): ScoredSet => ({ name, run });
  const one = { ref: referenceEntry };
  return [
    set('(a) direct', () => direct(suite)),
    set('(b) /mcp/servers/{key}', () => overHttp(suite, one, '/mcp/servers/ref')),
    set('(c) /mcp, one server', () => overHttp(suite, one)),
    set('(d) /mcp, five more servers', () => overHttp(suite, { ...noise, ref: referenceEntry })),
    set('(e) bridge', () => bridge(suite)),
    set('(e) command', () => command(suite)),
    set('(f) server over SSE', () => remote(suite, '--sse')),
    set('(f) server over Streamable HTTP', () => remote(suite, '--http')),
  ];
}

function direct(suite: Suite): Promise<readonly Outcome[]> {
  return within(startReference('--http'), ({ url }) => suite.server(url));
}

function overHttp(suite: Suite, servers: object, path = '/mcp'): Promise<readonly Outcome[]> {
  return within(startHub(servers), async (hub) => {
    await settled(hub);
    const { url, token } = hub.engine.connection();
    return within(startTokenProxy(new URL(path, url), token), (proxy) => suite.server(proxy.url));
  });
}

function remote(suite: Suite, flag: '--http' | '--sse'): Promise<readonly Outcome[]> {
  const type = flag === '--sse' ? 'sse' : 'http';
  return within(startReference(flag), ({ url }) => overHttp(suite, { ref: { type, url } }));
}

function bridge(suite: Suite): Promise<readonly Outcome[]> {
  return within(startHub({ ref: referenceEntry }), async (hub) => {
    await settled(hub);
    return overStdio(suite, programs.bridge, '--data-dir', hub.dir);
  });
}

function command(suite: Suite): Promise<readonly Outcome[]> {
  return within(tempDir(), async (folder) => {
    const file = join(folder.path, 'config.json');
    await writeFile(file, JSON.stringify({ mcpServers: { ref: referenceEntry } }));
    return overStdio(suite, programs.aggregator, '--config', file);
  });
}

function overStdio(suite: Suite, ...args: readonly string[]): Promise<readonly Outcome[]> {
  return within(startStdioShim(process.execPath, args), ({ url }) => suite.server(url));
}
