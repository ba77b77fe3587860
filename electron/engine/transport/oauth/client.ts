import { registerClient } from '@modelcontextprotocol/sdk/client/auth.js';
import { InvalidClientMetadataError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Fetch } from '../http-connections.ts';
import type { OAuthOptions } from './contract.ts';
import type { Discovered } from './discover.ts';
import type { ServerMetadata } from './server-metadata.ts';
import { failureName, signInFailed } from './sign-in-problem.ts';

export interface ClientRequest {
  readonly discovered: Discovered;
  readonly options: OAuthOptions;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  readonly fetch: Fetch;
}

/**
 * Who the hub is to the authorization server: the client of the user's config; else a client id metadata document;
 * else a client registered for this one sign-in, so that neither a forgotten registration nor another port can spoil
 * it. Rejects with ProblemError.
 */
export async function chooseClient(request: ClientRequest): Promise<OAuthClientInformationMixed> {
  const { discovered, options } = request;
  const configured = configuredClient(options);
  if (configured !== undefined) return configured;
  refuseWithoutPkce(discovered.metadata);
  const { clientMetadataUrl } = options;
  const takesDocuments = discovered.metadata?.client_id_metadata_document_supported === true;
  return clientMetadataUrl !== undefined && takesDocuments
    ? { client_id: clientMetadataUrl }
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

async function register(request: ClientRequest): Promise<OAuthClientInformationMixed> {
  const { metadata } = request.discovered;
  if (metadata !== undefined && metadata.registration_endpoint === undefined) throw notRegistered();
  try {
    return await registerWith(request, request.scope);
  } catch (error) {
    // Some know a resource's scopes only when they are asked for, not in a registration.
    const again = error instanceof InvalidClientMetadataError && request.scope !== undefined;
    if (!again) throw notRegistered(error);
  }
  return registerWith(request, undefined).catch((error: unknown) => {
    throw notRegistered(error);
  });
}

function registerWith({ discovered, redirectUri, fetch }: ClientRequest, scope: string | undefined) {
  const { authorizationServer, metadata } = discovered;
  return registerClient(authorizationServer, {
    clientMetadata: clientMetadata(redirectUri, metadata),
    fetchFn: fetch,
    ...(metadata === undefined ? {} : { metadata }),
    ...(scope === undefined ? {} : { scope }),
  });
}

function clientMetadata(redirectUri: string, metadata: ServerMetadata | undefined): OAuthClientMetadata {
  const known: OAuthClientMetadata & { readonly application_type: string } = {
    client_name: 'Patchbay',
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod(metadata?.token_endpoint_auth_methods_supported),
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
  if (metadata === undefined || metadata.code_challenge_methods_supported?.includes('S256')) return;
  const sentence = 'The service that signs you in does not say that it protects sign-ins by PKCE.';
  const fix = 'If you trust it, register a client there and put its id under patchbay.oauth.clientId.';
  throw signInFailed(sentence, fix);
}

function notRegistered(error?: unknown) {
  const sentence = 'The service that signs you in to this server does not take new clients by itself.';
  const fix =
    'Register Patchbay there with the redirect address http://127.0.0.1/callback and put the id under patchbay.oauth.clientId.';
  return signInFailed(sentence, fix, error === undefined ? {} : { error: failureName(error) }, error);
}
