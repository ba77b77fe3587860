import { describe, expect, it } from 'vitest';
import { memorySecrets, type OAuthBench, oauthBench } from '../../../../helper/oauth.ts';
import {
  type OddAuthServer,
  oddAuthServer,
  type ServiceRequest,
  signIn,
} from '../../../../helper/odd-auth-server.ts';

const refusal = { status: 401, error: 'invalid_token' };

interface Pair extends AsyncDisposable {
  readonly server: OddAuthServer;
  /** The service to which the server moves. */
  readonly next: OddAuthServer;
  /** Everything that the next service was sent. */
  readonly sentToNext: ServiceRequest[];
  /** Changes the services that the server names. */
  name(services: unknown): void;
}

/** A server that signs people in itself, and another service. */
async function pair(): Promise<Pair> {
  let services: { readonly named: unknown } | undefined;
  const sentToNext: ServiceRequest[] = [];
  const next = await oddAuthServer({
    register(request, usual) {
      sentToNext.push(request);
      return { ...usual, client_id: 'client-of-next' };
    },
    authorize(request) {
      sentToNext.push(request);
      return undefined;
    },
    token(request, usual) {
      sentToNext.push(request);
      return { ...usual, access_token: 'token-of-next', scope: 'other' };
    },
  });
  const server = await oddAuthServer({
    resource: (usual) =>
      services === undefined ? usual : { ...usual, authorization_servers: services.named },
    register: (_request, usual) => ({
      ...usual,
      client_id: 'client-of-first',
      client_secret: 'secret-of-first',
    }),
    token: (_request, usual) => ({ ...usual, scope: 'scope-of-first' }),
  });
  return {
    server,
    next,
    sentToNext,
    name: (named) => {
      services = { named };
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await next[Symbol.asyncDispose]();
    },
  };
}

async function signedIn(bench: OAuthBench): Promise<string> {
  const { text } = await signIn(bench);
  const token = await bench.token();
  if (token === undefined) throw new Error(text);
  return token;
}

const tokenRequests = ({ asked }: OddAuthServer) => asked.filter((one) => one === 'POST /token').length;

describe('[NFR-SEC3] a server that names another service to sign in at', () => {
  it('ends the sign-in, says so, and is signed in to by a client of that service', async () => {
    await using services = await pair();
    const { server, next, sentToNext } = services;
    await using bench = oauthBench(server.url);
    const authorization = bench.oauth.authorization(bench.server);
    const token = await signedIn(bench);
    services.name([next.origin]);
    expect(await authorization.renew(token, refusal)).toBeUndefined();
    expect(await bench.token()).toBeUndefined();
    expect(tokenRequests(server)).toBe(1);
    expect(authorization.problem(refusal, true)).toMatchObject({
      code: 'server.unauthorized',
      sentence: expect.stringContaining('another sign-in service'),
      fix: 'Sign in again.',
      evidence: expect.arrayContaining([
        { label: 'before', value: `${server.origin}/` },
        { label: 'now', value: `${next.origin}/` },
      ]),
    });
    expect([...bench.secrets.values.keys()]).toEqual([]);

    expect(await signedIn(bench)).toBe('token-of-next');
    expect(sentToNext.map(({ path }) => path)).toEqual(['/register', '/authorize', '/token']);
    expect(JSON.stringify(sentToNext)).not.toMatch(/of-first|renewal-1|token-1/);
    expect(authorization.problem(refusal, true).sentence).not.toContain('another sign-in service');
  });

  it('is asked for none of the scopes of the old one by a person who signs in before it refuses', async () => {
    await using services = await pair();
    await using bench = oauthBench(services.server.url);
    await signedIn(bench);
    services.name(services.next.origin);
    expect(await signedIn(bench)).toBe('token-of-next');
    expect(JSON.stringify(services.sentToNext)).not.toMatch(/of-first/);
  });

  it.each([
    ['nothing', null],
    ['none', []],
    ['no address', ['soon', 7]],
    ['both', (first: string, next: string) => [next, first]],
    ['the old one with a slash more', (first: string) => [`${first}/`]],
    ['the old one as a text', (first: string) => first],
  ])('keeps the sign-in while it names %s', async (_, named) => {
    await using services = await pair();
    const { server, next, sentToNext } = services;
    await using bench = oauthBench(server.url);
    const token = await signedIn(bench);
    services.name(typeof named === 'function' ? named(server.origin, next.origin) : named);
    expect(await bench.oauth.authorization(bench.server).renew(token, refusal)).toBe('token-2');
    expect(sentToNext).toEqual([]);
  });

  it('is not sent the client of the entry, also after a restart, until that is another', async () => {
    await using services = await pair();
    const { server, next, sentToNext } = services;
    const secrets = memorySecrets();
    const options = { clientId: 'by-hand', clientSecret: 'hand-made-secret' };
    await using bench = oauthBench(server.url, { options, secrets });
    const token = await signedIn(bench);
    services.name([next.origin]);
    const needsClient = {
      problem: {
        code: 'server.client_id_needed',
        sentence: expect.stringContaining('another sign-in service'),
      },
    };
    await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject(needsClient);
    expect(await bench.token()).toBe(token);
    expect(await bench.oauth.authorization(bench.server).renew(token, refusal)).toBeUndefined();
    expect(JSON.stringify([...secrets.values.values()])).not.toMatch(/token-|renewal-|secret/);

    await using later = oauthBench(server.url, { options, secrets });
    expect(await later.token()).toBeUndefined();
    await expect(later.oauth.signIn(later.server)).rejects.toMatchObject(needsClient);
    expect(sentToNext).toEqual([]);
    await using other = oauthBench(server.url, { options: { clientId: 'by-hand-too' }, secrets });
    expect(await signedIn(other)).toBe('token-of-next');
    expect(JSON.stringify(sentToNext)).not.toMatch(/"by-hand"|hand-made/);
  });

  it('is sent the client of the entry again by a person who signed out', async () => {
    await using services = await pair();
    const { server, next } = services;
    await using bench = oauthBench(server.url, { options: { clientId: 'by-hand' } });
    const token = await signedIn(bench);
    services.name([next.origin]);
    await bench.oauth.authorization(bench.server).renew(token, refusal);
    await bench.oauth.signOut(bench.server);
    expect([...bench.secrets.values.keys()]).toEqual([]);
    expect(await signedIn(bench)).toBe('token-of-next');
  });
});
