import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../helper/eventually.ts';
import { oauthBench } from '../../../../helper/oauth.ts';
import {
  type OddAuthRules,
  oddAuthServer,
  type RawAnswer,
  signIn,
} from '../../../../helper/odd-auth-server.ts';

const clientMetadataUrl = 'https://me.example/client.json';
const options = { clientMetadataUrl };
const refused: RawAnswer = { status: 401, body: '{"error":"invalid_client"}' };

/** A service that takes client id metadata documents; notes the clients that it was named. */
async function service(rules: OddAuthRules = {}) {
  const clients: (string | undefined)[] = [];
  const server = await oddAuthServer({
    ...rules,
    metadata: (usual) => {
      const changed = { ...usual, client_id_metadata_document_supported: true };
      return rules.metadata?.(changed) ?? changed;
    },
    token(request, usual) {
      clients.push(request.fields.client_id);
      return rules.token?.(request, usual);
    },
  });
  return { ...server, clients };
}

describe('a client id metadata document', () => {
  it.each([
    [true, clientMetadataUrl],
    ['true', clientMetadataUrl],
    [false, 'registered'],
    [null, 'registered'],
    [undefined, 'registered'],
    [{}, 'registered'],
  ])('where the service says %j makes the client %s', async (supported, client) => {
    await using server = await service({
      metadata: (usual) => ({ ...usual, client_id_metadata_document_supported: supported }),
    });
    await using bench = oauthBench(server.url, { options });
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(server.clients).toEqual([client]);
    expect(server.asked.includes('POST /register')).toBe(client === 'registered');
  });

  it('may be one for all servers, unless an entry has its own', async () => {
    await using server = await service();
    const env = { PATCHBAY_CLIENT_METADATA_URL: 'https://us.example/client.json' };
    for (const [own, client] of [
      [{}, 'https://us.example/client.json'],
      [options, clientMetadataUrl],
      [{ clientId: 'by-hand' }, 'by-hand'],
    ] as const) {
      await using bench = oauthBench(server.url, { options: own, env });
      await signIn(bench);
      expect(server.clients.pop()).toBe(client);
    }
  });

  it.each(['return', 'token'])('that is refused at the %s gives way to a registration', async (step) => {
    const isDocument = (id: string | undefined) => id === clientMetadataUrl;
    await using server = await service({
      authorize({ fields }, back) {
        if (step !== 'return' || !isDocument(fields.client_id)) return undefined;
        back.searchParams.delete('code');
        back.searchParams.set('error', 'invalid_client');
        return { status: 302, headers: { location: back.href } };
      },
      token: ({ fields }) => (isDocument(fields.client_id) ? refused : undefined),
    });
    await using bench = oauthBench(server.url, { options });
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(server.clients.at(-1)).toBe('registered');
  });

  it('that is refused on a page gives way to a registration the next time', async () => {
    await using server = await service({
      authorize: ({ fields }) => (fields.client_id === clientMetadataUrl ? refused : undefined),
    });
    await using bench = oauthBench(server.url, { options });
    expect((await signIn(bench)).text).toContain('invalid_client');
    await bench.clock.advance(10_000);
    await eventually(() => expect(bench.oauth.view('guarded')?.problem).toBeDefined());
    expect(bench.oauth.view('guarded')).toMatchObject({
      problem: { fix: expect.stringContaining('register') },
    });
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(server.clients).toEqual(['registered']);
  });

  it('that is refused where nobody is registered is not offered twice', async () => {
    await using server = await service({
      metadata: (usual) => ({ ...usual, registration_endpoint: null }),
      token: () => refused,
    });
    await using bench = oauthBench(server.url, { options });
    expect((await signIn(bench)).text).toContain('Not signed in');
    expect(server.asked.filter((one) => one === 'GET /authorize').length).toBe(1);
  });

  it.each(['http://me.example/client.json', 'https://me.example', 'https://me.example/c#x', 'client.json'])(
    'at %s is none, and the sign-in says so',
    async (address) => {
      await using server = await service();
      await using bench = oauthBench(server.url, { options: { clientMetadataUrl: address } });
      await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject({
        problem: { code: 'server.sign_in_failed', fix: expect.stringContaining('clientMetadataUrl') },
      });
      expect(server.asked).not.toContain('POST /register');
    },
  );
});
