import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type Hub, isConnected, startHub } from './running-hub.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer says is what the test is about
  readonly body: any;
}

/** A hub as it is asked over REST, by its administrator unless another token is given. */
export interface RestClient {
  readonly base: string;
  readonly adminToken: string;
  (method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
}

export async function restOf(hub: Pick<Hub, 'engine' | 'dir'>): Promise<RestClient> {
  const base = new URL(hub.engine.connection().url).origin;
  const adminToken = (await readFile(join(hub.dir, 'admin.token'), 'utf8')).trim();
  const ask = async (method: string, path: string, body?: unknown, token = adminToken): Promise<Answer> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  return Object.assign(ask, { base, adminToken });
}

/** A hub with real servers, its REST interface, and an agent that may call everything. */
export interface RestHub extends Hub {
  readonly rest: RestClient;
  /** Token of the agent. */
  readonly token: string;
  readonly agentId: string;
}

/** Resolves when every server that is switched on has been listed. */
export async function startRestHub(
  entries: Readonly<Record<string, object>>,
  options: Parameters<typeof startHub>[1] = {},
): Promise<RestHub> {
  const hub = await startHub(entries, options);
  const rest = await restOf(hub);
  for (const [key, entry] of Object.entries(entries)) {
    if ('disabled' in entry) continue;
    await isConnected(hub, key);
    await eventually(() => expect(hub.server(key).counts.tools).toBeGreaterThan(0));
  }
  const made = await rest('POST', '/api/v1/identities', { name: 'agent-001' });
  const { identity, token } = made.body;
  await hub.engine.run('access.grant', { identityId: identity.id, effect: 'allow', scope: { kind: 'all' } });
  return Object.assign(Object.create(hub), {
    rest,
    token,
    agentId: identity.id,
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  });
}
