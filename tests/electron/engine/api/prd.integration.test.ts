import { describe, expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { fixture } from '../../../helper/programs.ts';
import { type RestClient, restOf } from '../../../helper/rest.ts';
import { type Hub, isConnected, startHub } from '../../../helper/running-hub.ts';

const servers = '/api/v1/aggregator/servers';
const stdio = (program: string, env = {}) => ({
  transport_type: 'STDIO',
  connection_config: { command: process.execPath, args: [fixture(program)], env },
});

interface Started extends AsyncDisposable {
  readonly hub: Hub;
  readonly rest: RestClient;
  /** Token of an agent that may call everything. */
  readonly token: string;
}

async function started(entries: Readonly<Record<string, unknown>> = {}): Promise<Started> {
  const hub = await startHub(entries);
  const rest = await restOf(hub);
  for (const key of Object.keys(entries)) {
    await isConnected(hub, key);
    await eventually(() => expect(hub.server(key).counts.tools).toBeGreaterThan(0));
  }
  const made = await rest('POST', '/api/v1/identities', { name: 'agent-001' });
  expect(made.status).toBe(201);
  const { identity, token } = made.body;
  await hub.engine.access.grant({ identityId: identity.id, effect: 'allow', scope: { kind: 'all' } });
  return { hub, rest, token, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('servers over REST', () => {
  it('[AG-US1-AC1] [AG-US1-AC2] [AG-US1-AC5] registers a server and connects to it at once', async () => {
    await using it = await started();
    const { status, body } = await it.rest('POST', servers, {
      name: 'github-mcp',
      description: 'Repositories',
      ...stdio('echo'),
      auto_connect: true,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'github-mcp',
      description: 'Repositories',
      status: expect.stringMatching(/^(?:CONNECTING|CONNECTED|DISCONNECTED)$/),
      transport_type: 'STDIO',
      registered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await isConnected(it.hub, 'github-mcp');
    const one = await it.rest('GET', `${servers}/${body.id}`);
    expect(one.body).toMatchObject({ id: body.id, status: 'CONNECTED', tool_count: expect.any(Number) });
  });
});
