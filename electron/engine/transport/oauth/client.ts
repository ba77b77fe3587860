import { registerClient } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { ProblemError } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../http-connections.ts';
import type { OAuthOptions } from './contract.ts';
import { cannotBeAsked, type Discovered, safeAddress } from './discover.ts';
import { type Members, textOf } from './read-answer.ts';
import type { ServerMetadata } from './server-metadata.ts';
import { createServiceFetch, patiently } from './service-fetch.ts';
import { ServiceRefusal } from './service-refusal.ts';
import { clientIdNeeded, failureFacts, signInFailed } from './sign-in-problem.ts';

export interface ClientRequest {
  readonly discovered: Discovered;
  readonly options: OAuthOptions;
  /** Addresses on this machine that the browser may come back to, the preferred one first; at least one. */
  readonly redirectUris: readonly string[];
  readonly scope: string | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** A client and the redirect address that goes with it. */
export interface ChosenClient {
  readonly client: OAuthClientInformationMixed;
  readonly redirectUri: string;
}

/**
 * Who the hub is to the authorization server: the client of the user's config; else a client id metadata document;
 * else a client registered for this one sign-in, so that neither a forgotten registration nor another port can spoil
 * it. Rejects with ProblemError.
 */
export async function chooseClient(request: ClientRequest): Promise<ChosenClient> {
  const { discovered, options, redirectUris } = request;
  const [redirectUri = ''] = redirectUris;
  const configured = configuredClient(options);
  if (configured !== undefined) return { client: configured, redirectUri };
  refuseWithoutPkce(discovered.metadata);
  const { clientMetadataUrl } = options;
  const takesDocuments = discovered.metadata?.client_id_metadata_document_supported === true;
  return clientMetadataUrl !== undefined && takesDocuments
    ? { client: { client_id: clientMetadataUrl }, redirectUri }
    : register(request);
}

/** The client of the user's config, whose secret may have changed since a sign-in. */
export function configuredClient({
  clientId,
  clientSecret,
}: OAuthOptions): OAuthClientInformationMixed | undefined {
  if (clientId === undefined) return undefined;
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
}

/** True where the service is known to take no client but one that was registered by hand. */
export function needsClientId({ metadata }: Discovered, options: OAuthOptions = {}): boolean {
  if (metadata === undefined || options.clientId !== undefined) return false;
  const takesOurs =
    options.clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true;
  return metadata.registration_endpoint === undefined && !takesOurs;
}

/** One way of asking to be registered. */
interface Variant {
  readonly redirectUri: string;
  readonly scope: string | undefined;
  readonly method: string;
  readonly grants: readonly string[];
}

/**
 * Asks again without what a service may have refused: the name of this machine, the scopes, a client without a secret, the
 * wish to renew tokens.
 */
async function register(request: ClientRequest): Promise<ChosenClient> {
  const { discovered, redirectUris, scope, clock } = request;
  const { metadata } = discovered;
  if (metadata !== undefined && metadata.registration_endpoint === undefined) throw notRegistered();
  const [redirectUri = '', ...others] = redirectUris;
  const method = authMethod(metadata?.token_endpoint_auth_methods_supported);
  let variant: Variant | undefined = { redirectUri, scope, method, grants };
  let first: unknown;
  while (variant !== undefined) {
    const asked: Variant = variant;
    try {
      // Addresses that are only assumed are not worth waiting for.
      const client = await (metadata === undefined
        ? registerAs(request, asked)
        : patiently(clock, () => registerAs(request, asked)));
      return { client, redirectUri: asked.redirectUri };
    } catch (error) {
      first ??= error;
      variant = nextVariant(asked, error, others, metadata);
    }
  }
  if (metadata !== undefined) throw notRegistered(first);
  const { authorizationServer, fault } = discovered;
  throw fault === undefined
    ? noSignIn(authorizationServer, first)
    : cannotBeAsked(authorizationServer, fault);
}

function nextVariant(
  asked: Variant,
  error: unknown,
  others: readonly string[],
  metadata: ServerMetadata | undefined,
): Variant | undefined {
  if (!(error instanceof ServiceRefusal) || (error.status !== 400 && error.status !== 422)) return undefined;
  const other = others.find((one) => one !== asked.redirectUri);
  const isFirstAddress = !others.includes(asked.redirectUri);
  const renamed = isFirstAddress && other !== undefined ? { ...asked, redirectUri: other } : undefined;
  if (error.code === 'invalid_redirect_uri') return renamed;
  if (asked.scope !== undefined) return { ...asked, scope: undefined };
  if (renamed !== undefined) return renamed;
  const mayWantSecret =
    asked.method === 'none' && metadata?.token_endpoint_auth_methods_supported === undefined;
  if (mayWantSecret) return { ...asked, method: 'client_secret_basic' };
  return asked.grants === grants ? { ...asked, grants: ['authorization_code'] } : undefined;
}

async function registerAs(
  { discovered, fetch }: ClientRequest,
  { redirectUri, scope, method, grants: asked }: Variant,
): Promise<OAuthClientInformationMixed> {
  const { authorizationServer, metadata } = discovered;
  const read = (members: Members) => readClient(members, redirectUri);
  const { client_id, client_secret, token_endpoint_auth_method } = await registerClient(authorizationServer, {
    clientMetadata: clientMetadata(redirectUri, method, asked),
    fetchFn: createServiceFetch(fetch, { read }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(scope === undefined ? {} : { scope }),
  });
  return {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
  };
}

/** Every member but the id may be missing. */
function readClient(members: Members, redirectUri: string): object | undefined {
  const id = textOf(members.client_id);
  if (id === undefined) return undefined;
  const [secret, method] = [textOf(members.client_secret), textOf(members.token_endpoint_auth_method)];
  return {
    client_id: id,
    redirect_uris: [redirectUri],
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
  };
}

/** Uses that Patchbay makes of a registration. */
const grants = ['authorization_code', 'refresh_token'] as const;

function clientMetadata(redirectUri: string, method: string, asked: readonly string[]): OAuthClientMetadata {
  const known: OAuthClientMetadata & { readonly application_type: string } = {
    client_name: 'Patchbay',
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: [...asked],
    response_types: ['code'],
    token_endpoint_auth_method: method,
  };
  return known;
}

/** A program on a person's machine keeps no secret, so it is a public client wherever that is allowed. */
function authMethod(supported: readonly string[] | undefined): string {
  const order = ['none', 'client_secret_basic', 'client_secret_post'];
  return order.find((method) => supported?.includes(method)) ?? 'none';
}

/** Without PKCE a code could be redeemed by who overhears it; a client registered by hand is the user's own judgement. */
function refuseWithoutPkce(metadata: ServerMetadata | undefined): void {
  const methods = metadata?.code_challenge_methods_supported;
  if (metadata === undefined || methods?.includes('S256')) return;
  const sentence = 'The service that signs you in does not say that it protects sign-ins by PKCE.';
  const fix = 'If you trust it, register a client there and put its id under patchbay.oauth.clientId.';
  throw signInFailed(sentence, fix, { code_challenge_methods_supported: methods?.join(' ') ?? '(none)' });
}

function notRegistered(error?: unknown) {
  const facts = error === undefined ? {} : failureFacts(error);
  return new ProblemError(clientIdNeeded(facts), { cause: error });
}

function noSignIn(authorizationServer: string, error: unknown) {
  const sentence = 'The server asks for a sign-in but names no service that offers one.';
  const fix = 'If it takes a token instead, put it into the headers of its configuration.';
  const evidence = { service: safeAddress(authorizationServer), ...failureFacts(error) };
  return signInFailed(sentence, fix, evidence, error);
}
