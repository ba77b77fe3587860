import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../shared/schema/settings.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { restOf } from '../../helper/rest.ts';
import { type Hub, isConnected, startHub } from '../../helper/running-hub.ts';

const servers = {
  fine: nodeEntry(fixture('echo')),
  bad: { command: 'pb-no-such-command' },
  off: { ...nodeEntry(fixture('echo')), disabled: true },
};

async function overHttp(hub: Hub): Promise<Client & AsyncDisposable> {
  const { url, token } = hub.engine.connection();
  const headers = { authorization: `Bearer ${token}` };
  const client = new Client({ name: 'cursor', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport,
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** By server state: parts of the answer to a tool call and of its fix. */
const answers = [
  ['bad', 'bad has failed to start: ', 'pb-no-such-command'],
  ['off', 'off is turned off and has not listed', 'Turn on off'],
] as const;

describe('a tool of a server that was never listed', () => {
  it('[US3.4] is answered with the state of the server by bridge, HTTP and REST, but not to callers without access to it', async () => {
    await using hub = await startHub(servers);
    await isConnected(hub, 'fine');
    await eventually(() => expect(hub.server('bad').status).toBe('error'));
    await using bridge = await hub.bridge('cursor');
    await using http = await overHttp(hub);
    for (const client of [bridge, http])
      for (const [key, sentence, more] of answers) {
        const told: unknown = await client.callTool({ name: `${key}__pid` }).catch((error) => error);
        expect(told).toMatchObject({
          message: expect.stringMatching(new RegExp(`cannot be found. The server ${sentence}`)),
          data: { code: 'call.server_unavailable', serverKey: key },
        });
        expect(JSON.stringify(told)).toContain(more);
      }
    const rest = await restOf(hub);
    const { body: agent } = await rest('POST', '/api/v1/identities', { name: 'job' });
    const call = (key: string) =>
      rest('POST', '/api/v1/tools/call', { server_id: key, name: 'pid' }, agent.token);
    await hub.engine.run('access.grant', {
      identityId: agent.identity.id,
      effect: 'allow',
      scope: { kind: 'all' },
    });
    for (const [key, sentence] of answers) {
      expect(await call(key)).toMatchObject({
        status: 503,
        body: { error: expect.stringContaining(sentence.split(',')[0] ?? ''), server: { name: key } },
      });
    }
    const settings = settingsSchema.parse({});
    await hub.engine.applySettings(settings, { ...settings, newClients: 'nothing' });
    await using stranger = await hub.bridge('stranger');
    await expect(stranger.callTool({ name: 'bad__pid' })).rejects.toThrow('Tool not found: bad__pid');
  });
});
