import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import type { Fetch } from '../../../../../electron/engine/transport/http-client/http-connections.ts';
import { chooseClient } from '../../../../../electron/engine/transport/oauth/client.ts';
import type { OAuthOptions } from '../../../../../electron/engine/transport/oauth/contract.ts';
import { discover } from '../../../../../electron/engine/transport/oauth/discover.ts';

const url = new URL('https://mcp.example/v1/mcp');
const failed = { problem: { code: 'server.sign_in_failed' } };

/** Simulates a network in which only these addresses answer, and records posts to it. */
function network(pages: Readonly<Record<string, unknown>>) {
  const posted: { readonly to: string; readonly body: Record<string, unknown> }[] = [];
  const fetch: Fetch = async (to, init) => {
    const page = pages[String(to)];
    if (init?.method === 'POST') posted.push({ to: String(to), body: JSON.parse(String(init.body)) });
    return page === undefined ? new Response('{}', { status: 404 }) : Response.json(page);
  };
  return { fetch, posted };
}

const metadata = (issuer: string, changes: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  ...changes,
});

const as = 'https://as.example';
const resourceAt = 'https://mcp.example/.well-known/oauth-protected-resource/v1/mcp';
const metadataAt = `${as}/.well-known/oauth-authorization-server`;
const ownMetadataAt = 'https://mcp.example/.well-known/oauth-authorization-server';
const resource = { resource: url.href, authorization_servers: [as], scopes_supported: ['a'] };

describe('where to sign in', () => {
  it('is what the server’s metadata names, found at its place', async () => {
    const { fetch } = network({ [resourceAt]: resource, [metadataAt]: metadata(as) });
    expect(await discover({ url, fetch })).toMatchObject({
      authorizationServer: as,
      resource: url.href,
      scopes: ['a'],
      metadata: { issuer: as },
    });
  });

  it('is read where the refusal says, otherwise at the well-known path', async () => {
    const named = 'https://mcp.example/elsewhere';
    const pages = { [named]: { ...resource, scopes_supported: ['b'] }, [metadataAt]: metadata(as) };
    const { fetch } = network({ ...pages, [resourceAt]: resource });
    expect(await discover({ url, fetch, resourceMetadataUrl: named })).toMatchObject({ scopes: ['b'] });
    const lost = { url, fetch, resourceMetadataUrl: 'https://mcp.example/nowhere' };
    expect(await discover(lost)).toMatchObject({ scopes: ['a'] });
  });

  it('[NFR-SEC3] keeps what OpenID documents say of the issuer in answers', async () => {
    const openId = metadata(as, {
      authorization_response_iss_parameter_supported: true,
      jwks_uri: `${as}/j`,
    });
    const { fetch } = network({ [resourceAt]: resource, [`${as}/.well-known/openid-configuration`]: openId });
    const found = await discover({ url, fetch });
    expect(found.metadata?.authorization_response_iss_parameter_supported).toBe(true);
  });

  it.each([
    ['another issuer than the server named', resource, metadata('https://evil.example')],
    ['another resource', { ...resource, resource: 'https://other.example/' }, metadata(as)],
    ['a token endpoint without https', resource, metadata(as, { token_endpoint: 'http://to.example/token' })],
    ['one at another port', resource, metadata(as, { token_endpoint: 'http://as.example:81/token' })],
    ['a service without https', { ...resource, authorization_servers: ['http://as.example'] }, metadata(as)],
    [
      'an authorization endpoint on this machine for a server elsewhere',
      resource,
      metadata(as, { authorization_endpoint: 'http://127.0.0.1:80/authorize' }),
    ],
  ])('[NFR-SEC2] [NFR-SEC3] is refused with %s', async (_, described, served) => {
    const { fetch } = network({ [resourceAt]: described, [metadataAt]: served });
    await expect(discover({ url, fetch })).rejects.toMatchObject(failed);
  });

  it('is read with https where a proxy ends it, and nothing is sent without', async () => {
    const plain = 'http://mcp.example';
    const described = { resource: `${plain}/v1/mcp`, authorization_servers: [plain] };
    const { fetch } = network({ [resourceAt]: described, [ownMetadataAt]: metadata(plain) });
    expect(await discover({ url, fetch })).toMatchObject({
      authorizationServer: 'https://mcp.example',
      metadata: {
        issuer: plain,
        authorization_endpoint: 'https://mcp.example/authorize',
        token_endpoint: 'https://mcp.example/token',
        registration_endpoint: 'https://mcp.example/register',
      },
    });
  });

  it.each(['api://00000000-0000-4000-8000-000000000000', 'urn:my:api', 'my server'])(
    'is for the server itself where its resource is no web address: %s',
    async (named) => {
      const pages = { [resourceAt]: { ...resource, resource: named }, [metadataAt]: metadata(as) };
      expect(await discover({ url, fetch: network(pages).fetch })).toMatchObject({ resource: url.href });
    },
  );

  it.each(['/.well-known/oauth-authorization-server/tenant', '/tenant/.well-known/openid-configuration'])(
    'is the one whose metadata is named in its place: %s',
    async (place) => {
      const tenant = `${as}/tenant`;
      const { fetch } = network({
        [resourceAt]: { ...resource, authorization_servers: [`${as}${place}`] },
        [`${as}/.well-known/oauth-authorization-server/tenant`]: metadata(tenant),
      });
      expect(await discover({ url, fetch })).toMatchObject({
        authorizationServer: tenant,
        metadata: { issuer: tenant },
      });
    },
  );

  it('is the first of several named services that says how', async () => {
    const several = { ...resource, authorization_servers: ['https://silent.example', as] };
    const { fetch } = network({ [resourceAt]: several, [metadataAt]: metadata(as) });
    expect(await discover({ url, fetch })).toMatchObject({
      authorizationServer: as,
      metadata: { issuer: as },
    });
  });

  it.each([
    ['{tenantid}', true],
    ['common', true],
    ['COMMON', false],
    ['{tenantid}/more', false],
  ])('may be a service that names itself for all its tenants: %s, %s', async (tenant, isTaken) => {
    const common = `${as}/common/v2.0`;
    const at = `${as}/.well-known/oauth-authorization-server/common/v2.0`;
    const named = { ...resource, authorization_servers: [common] };
    const { fetch } = network({
      [resourceAt]: named,
      [at]: metadata(as, { issuer: `${as}/${tenant}/v2.0` }),
    });
    const found = await discover({ url, fetch }).catch(() => undefined);
    expect(found !== undefined).toBe(isTaken);
  });

  it.each([
    ['http://mcp.example/v1/mcp', true],
    ['HTTPS://MCP.example:443/v1/mcp/', true],
    ['https://mcp.example/v1', true],
    ['https://mcp.example/v1/mc', false],
    ['https://mcp.example:8443/v1/mcp', false],
    ['http://localhost/v1/mcp', false],
  ])('is for the resource %s: %s', async (described, isTaken) => {
    const pages = { [resourceAt]: { ...resource, resource: described }, [metadataAt]: metadata(as) };
    const found = await discover({ url, fetch: network(pages).fetch }).catch(() => undefined);
    expect(found?.resource).toBe(isTaken ? described : undefined);
  });

  it('is the server’s own origin for a server of the first revision, unless it names another issuer there', async () => {
    expect(await discover({ url, fetch: network({}).fetch })).toEqual({
      authorizationServer: 'https://mcp.example/',
    });
    const handedOn = { [ownMetadataAt]: metadata(as) };
    expect(await discover({ url, fetch: network(handedOn).fetch })).toMatchObject({
      metadata: { issuer: as },
    });
  });

  it('[NFR-SEC3] keeps the name of another issuer only if codes go to that issuer', async () => {
    const mixed = metadata(as, { token_endpoint: 'https://mcp.example/token' });
    const issuer = async (pages: object) =>
      (await discover({ url, fetch: network({ [ownMetadataAt]: mixed, ...pages }).fetch })).metadata?.issuer;
    expect(await issuer({})).toBe('https://mcp.example/');
    expect(await issuer({ [metadataAt]: metadata(as) })).toBe('https://mcp.example/');
    expect(await issuer({ [metadataAt]: mixed })).toBe(as);
    expect(await issuer({ [ownMetadataAt]: { ...mixed, issuer: 'https://mcp.example/v1' } })).toBe(
      'https://mcp.example/v1',
    );
    expect(await issuer({ [ownMetadataAt]: { ...mixed, issuer: 'our service' } })).toBe('our service');
  });
});

describe('who the hub is to an authorization server', () => {
  const redirectUri = 'http://127.0.0.1:7000/callback';

  async function chosen(options: OAuthOptions, changes: object = {}) {
    const answer = { client_id: 'registered', redirect_uris: [redirectUri] };
    const { fetch, posted } = network({ [`${as}/register`]: answer });
    const discovered = { authorizationServer: as, metadata: metadata(as, changes) };
    const redirectUris = [redirectUri];
    const request = { discovered, options, redirectUris, scope: 'a', fetch, clock: systemClock };
    const { client } = await chooseClient(request);
    return { id: client.client_id, posted };
  }

  const clientMetadataUrl = 'https://me.example/client.json';
  const takesDocuments = { client_id_metadata_document_supported: true };

  it('is the client of the config, else a document where such are taken, else a registered one', async () => {
    const all = { clientId: 'mine', clientMetadataUrl };
    expect(await chosen(all, takesDocuments)).toEqual({ id: 'mine', posted: [] });
    expect(await chosen({ clientMetadataUrl }, takesDocuments)).toEqual({
      id: clientMetadataUrl,
      posted: [],
    });
    expect(await chosen({ clientMetadataUrl })).toMatchObject({ id: 'registered' });
  });

  it('is registered as a native program, with no secret wherever that is allowed', async () => {
    const { posted } = await chosen({});
    expect(posted).toMatchObject([
      {
        to: `${as}/register`,
        body: {
          application_type: 'native',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
          scope: 'a',
        },
      },
    ]);
    const strict = { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'] };
    expect((await chosen({}, strict)).posted).toMatchObject([
      { body: { token_endpoint_auth_method: 'client_secret_post' } },
    ]);
  });

  it('[NFR-SEC3] is nobody where PKCE is not promised, unless the user registered the client', async () => {
    const without = { code_challenge_methods_supported: undefined };
    await expect(chosen({}, without)).rejects.toMatchObject(failed);
    await expect(chosen({}, { code_challenge_methods_supported: ['plain'] })).rejects.toMatchObject(failed);
    expect(await chosen({ clientId: 'mine' }, without)).toMatchObject({ id: 'mine' });
  });
});
