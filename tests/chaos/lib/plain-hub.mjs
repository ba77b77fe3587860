import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { end } from '../../bench/lib/process.mjs';
import { Session } from '../../bench/lib/session.mjs';
import { openHttp, startHub } from '../../bench/targets.mjs';

/** A hub for measuring: nothing happens to it but what is asked of it. */
export async function startPlainHub(servers) {
  const begun = performance.now();
  const hub = await startHub(servers);
  return {
    ...hub,
    begun,
    pid: hub.child.pid,
    /** Rewrites `mcp.json`, as by hand. */
    configure: (next) => writeFile(join(hub.dir, 'mcp.json'), JSON.stringify({ mcpServers: next })),
    /** A client over HTTP that has introduced itself. */
    async connect() {
      const client = await openHttp(hub);
      const session = new Session({ name: 'client' }, { client, own: [], tool: hub.tool });
      await session.greet();
      return session;
    },
    async stop() {
      await end(hub.child, { patience: 0 });
      await hub.tidy();
    },
  };
}
