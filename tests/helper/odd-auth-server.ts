import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OAuthOptions } from '../../electron/engine/transport/oauth/contract.ts';
import { httpServer } from './http-server.ts';
import { type OAuthBench, oauthBench } from './oauth.ts';
import { visit } from './scripted-browser.ts';

type Members = Readonly<Record<string, unknown>>;

/** An answer that is more than its JSON. */
export interface RawAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is cut in place of an answer. */
  readonly cut?: true;
  /** The answer never ends. */
  readonly open?: true;
}

/** Content of a request to the service. */
export interface ServiceRequest {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly json: Members;
  readonly authorization?: string | undefined;
}

export interface OddAuthRules {
  /** Path of the issuer, such as `/tenant`. */
  readonly issuerPath?: string;
  /** Path of the service's metadata; false: none. */
  readonly metadataAt?: string | false;
  /** Path of the resource's metadata; false: none. */
  readonly resourceAt?: string | false;
  /** Answer of every other place of metadata. */
  readonly elsewhere?: RawAnswer;
  resource?(usual: Members): Members;
  metadata?(usual: Members): Members;
  /** Answers to each kind of request; undefined is the usual one. */
  register?(request: ServiceRequest, usual: Members): Members | RawAnswer | undefined;
  authorize?(request: ServiceRequest, back: URL): RawAnswer | undefined;
  token?(request: ServiceRequest, usual: Members): Members | RawAnswer | undefined;
}

/** An authorization server and a guarded server on one origin, well-behaved but for its rules. */
export interface OddAuthServer extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  /** All requests in order, `POST /register` and the like. */
  readonly asked: string[];
}

export async function oddAuthServer(rules: OddAuthRules = {}): Promise<OddAuthServer> {
  const asked: string[] = [];
  let issued = 0;
  let origin = '';
  const server = await httpServer((request, response) => void serve(request, response));
  origin = new URL(server.url).origin;
  const { issuerPath = '', metadataAt = `/.well-known/oauth-authorization-server${issuerPath}` } = rules;
  const { resourceAt = '/.well-known/oauth-protected-resource/mcp' } = rules;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const { pathname: path } = url;
    const body = await textOf(request);
    asked.push(`${request.method} ${path}`);
    const fields = Object.fromEntries(
      request.method === 'POST' ? new URLSearchParams(body) : url.searchParams,
    );
    const { authorization } = request.headers;
    const json = body.startsWith('{') ? JSON.parse(body) : {};
    const said: ServiceRequest = { path, fields, json, authorization };
    send(response, answerTo(said, request));
  }

  function answerTo(said: ServiceRequest, request: IncomingMessage): Members | RawAnswer {
    const { path, fields } = said;
    if (path === metadataAt) return change(rules.metadata, metadataOf(`${origin}${issuerPath}`, origin));
    if (path === resourceAt) {
      return change(rules.resource, {
        resource: `${origin}/mcp`,
        authorization_servers: [`${origin}${issuerPath}`],
      });
    }
    if (path === '/register') {
      const usual = { ...said.json, client_id: 'registered' };
      return rules.register?.(said, usual) ?? usual;
    }
    if (path === '/authorize') {
      const back = new URL(fields.redirect_uri ?? origin);
      back.searchParams.set('code', 'one-code');
      back.searchParams.set('state', fields.state ?? '');
      return rules.authorize?.(said, back) ?? { status: 302, headers: { location: back.href } };
    }
    if (path === '/token') {
      issued += 1;
      const usual = {
        access_token: `token-${issued}`,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'read',
        refresh_token: `renewal-${issued}`,
      };
      return rules.token?.(said, usual) ?? usual;
    }
    if (path !== '/mcp') return rules.elsewhere ?? { status: 404 };
    if (request.headers.authorization === undefined) {
      return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
    }
    return { jsonrpc: '2.0', id: 1, result: {} };
  }

  return {
    url: server.url,
    origin,
    asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function metadataOf(issuer: string, origin: string): Members {
  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    scopes_supported: ['read', 'offline_access'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: false,
    authorization_response_iss_parameter_supported: false,
  };
}

function change(by: ((usual: Members) => Members) | undefined, usual: Members): Members {
  return by?.(usual) ?? usual;
}

function send(response: ServerResponse, answer: Members | RawAnswer): void {
  if (!isRaw(answer)) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    return;
  }
  const { status, headers, body = '', cut, open } = answer;
  if (cut) response.destroy();
  else if (open) response.writeHead(status, headers).write(body || '\n');
  else response.writeHead(status, headers).end(body);
}

function isRaw(answer: Members | RawAnswer): answer is RawAnswer {
  return typeof answer.status === 'number';
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Plays the person; resolves to the page they see last. */
export async function signIn(bench: OAuthBench) {
  const { url } = await bench.oauth.signIn(bench.server);
  return visit(url);
}

/** Signs in to a service with these rules; resolves to the token that a request would carry, rejects with the last page. */
export async function tokenFrom(rules: OddAuthRules, options?: OAuthOptions): Promise<string | undefined> {
  await using service = await oddAuthServer(rules);
  await using bench = oauthBench(service.url, options === undefined ? {} : { options });
  const { text } = await signIn(bench);
  if (!text.includes('Signed in')) throw new Error(text);
  return bench.token();
}
