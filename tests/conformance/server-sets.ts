import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programs } from '../helper/programs.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { startModernShim } from './modern-shim.ts';
import { modernEntry, noise, referenceEntry, settled, startHub, startReference } from './programs.ts';
import { startStdioShim } from './stdio-shim.ts';
import type { Outcome, Revision, ScoredSet, Suite } from './suite.ts';
import { startTokenProxy } from './token-proxy.ts';
import { within } from './within.ts';

/** The server scenarios: directly, and through every way a client can take to the same server. */
export function serverSets(suite: Suite): readonly ScoredSet[] {
  const set = (name: string, run: () => Promise<readonly Outcome[]>): ScoredSet => ({ name, run });
  const one = { ref: referenceEntry };
  const modern = { ref: modernEntry };
  return [
    set('sessions: the reference server alone', () => direct(suite)),
    set('sessions: /mcp/servers/{key}', () => overHttp(suite, one, '/mcp/servers/ref')),
    set('sessions: /mcp, one server', () => overHttp(suite, one)),
    set('sessions: /mcp, five more servers', () => overHttp(suite, { ...noise, ...one })),
    set('sessions: bridge', () => bridge(suite)),
    set('sessions: command', () => command(suite)),
    set('sessions: server over SSE', () => remote(suite, '--sse')),
    set('sessions: server over Streamable HTTP', () => remote(suite, '--http')),
    set('stateless: the reference server alone', () => modernDirect(suite)),
    set('stateless: /mcp/servers/{key}', () => modernOverHttp(suite, modern, '/mcp/servers/ref')),
    set('stateless: /mcp, one server', () => modernOverHttp(suite, modern)),
    set('stateless: /mcp, five more servers', () => modernOverHttp(suite, { ...noise, ...modern })),
    set('stateless: server over HTTP', () => modernRemote(suite)),
    set('stateless: bridge', () => modernBridge(suite)),
    set('stateless: command', () => modernCommand(suite)),
    // The suite leaves questions open, and what a shared server asks beside one of another client is refused.
    set('across: stateless client, server with sessions over stdio', () =>
      modernOverHttp(suite, { ref: ownProcess(referenceEntry) }, '/mcp/servers/ref'),
    ),
    set('across: stateless client, server with sessions over HTTP', () =>
      modernRemote(suite, referenceEntry),
    ),
    set('across: client with a session, stateless server over stdio', () =>
      overHttp(suite, modern, '/mcp/servers/ref'),
    ),
    set('across: client with a session, stateless server over HTTP', () =>
      remote(suite, '--http', modernEntry),
    ),
  ];
}

/** An entry that gives each client its own process. */
function ownProcess(entry: object): object {
  return { ...entry, patchbay: { isolation: 'per-client' } };
}

function direct(suite: Suite): Promise<readonly Outcome[]> {
  return within(startReference('--http'), ({ url }) => suite.server(url));
}

function modernDirect(suite: Suite): Promise<readonly Outcome[]> {
  return within(startReference('--http', modernEntry), ({ url }) => suite.server(url, '2026-07-28'));
}

function modernOverHttp(suite: Suite, servers: object, path = '/mcp'): Promise<readonly Outcome[]> {
  return overHttp(suite, servers, path, '2026-07-28');
}

function modernRemote(suite: Suite, entry = modernEntry): Promise<readonly Outcome[]> {
  return within(startReference('--http', entry), ({ url }) =>
    modernOverHttp(suite, { ref: { type: 'http', url } }, '/mcp/servers/ref'),
  );
}

function overHttp(
  suite: Suite,
  servers: object,
  path = '/mcp',
  revision: Revision = '2025-11-25',
): Promise<readonly Outcome[]> {
  return within(startHub(servers), async (hub) => {
    await settled(hub);
    const { url, token } = hub.engine.connection();
    return within(startTokenProxy(new URL(path, url), token), (proxy) => suite.server(proxy.url, revision));
  });
}

function remote(suite: Suite, flag: '--http' | '--sse', entry = referenceEntry): Promise<readonly Outcome[]> {
  const type = flag === '--sse' ? 'sse' : 'http';
  return within(startReference(flag, entry), ({ url }) => overHttp(suite, { ref: { type, url } }));
}

function bridge(suite: Suite): Promise<readonly Outcome[]> {
  return within(startHub({ ref: referenceEntry }), async (hub) => {
    await settled(hub);
    return overStdio(suite, programs.bridge, '--data-dir', hub.dir);
  });
}

function modernBridge(suite: Suite): Promise<readonly Outcome[]> {
  return within(startHub({ ref: modernEntry }), async (hub) => {
    await settled(hub);
    return overModernStdio(suite, programs.bridge, '--data-dir', hub.dir);
  });
}

function modernCommand(suite: Suite): Promise<readonly Outcome[]> {
  return within(tempDir(), async (folder) => {
    const file = join(folder.path, 'config.json');
    await writeFile(file, JSON.stringify({ mcpServers: { ref: modernEntry } }));
    return overModernStdio(suite, programs.aggregator, '--config', file);
  });
}

function overModernStdio(suite: Suite, ...args: readonly string[]): Promise<readonly Outcome[]> {
  return within(startModernShim(process.execPath, args), ({ url }) => suite.server(url, '2026-07-28'));
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
