import { registerClient } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { ProblemError } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../http-client/http-connections.ts';
import type { OAuthOptions } from './contract.ts';
import { cannotBeAsked, type Discovered } from './discover.ts';
import { type Members, textOf, textsOf, withWrapped } from './read-response.ts';
import type { ServerMetadata } from './server-metadata.ts';
import { createServiceFetch, withRetries } from './service-fetch.ts';
import { isTransientRefusal, ServiceRefusal } from './service-refusal.ts';
import {
  clientIdNeeded,
  failureFacts,
  safeAddress,
  signInFailed,
  withServerWords,
} from './sign-in-problem.ts';

export interface ClientRequest {
  readonly discovered: Discovered;
  readonly options: OAuthOptions;
  /** Addresses on this machine that the browser may return to, the preferred one first; at least one. */
  readonly redirectUris: readonly string[];
  readonly scope: string | undefined;
  /** The service has refused the client id metadata document. */
  readonly withoutDocument?: boolean;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** A client and its redirect address. */
export interface ChosenClient {
  readonly client: OAuthClientInformationMixed;
  readonly redirectUri: string;
}

/**
 * Chooses the hub's OAuth client: the one in the user's config; otherwise a client id metadata document;
 * otherwise a client registered for this one sign-in, so that neither a forgotten registration nor a changed
 * port can break it. Rejects with ProblemError.
 */
export async function chooseClient(request: ClientRequest): Promise<ChosenClient> {
  const { discovered, options, redirectUris } = request;
  const [redirectUri = ''] = redirectUris;
  const configured = configuredClient(options);
  if (configured !== undefined) return { client: configured, redirectUri };
  requirePkce(discovered.metadata);
  const { clientMetadataUrl } = options;
  const takesDocuments = discovered.metadata?.client_id_metadata_document_supported === true;
  if (clientMetadataUrl === undefined || !takesDocuments || request.withoutDocument === true)
    return register(request);
  requireDocumentAddress(clientMetadataUrl);
  return { client: { client_id: clientMetadataUrl }, redirectUri };
}

/** Returns the client in the user's config; its secret may have changed since the sign-in. */
export function configuredClient({
  clientId,
  clientSecret,
}: OAuthOptions): OAuthClientInformationMixed | undefined {
  if (clientId === undefined) return undefined;
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
}

/** Returns true if the service accepts only clients registered by hand. */
export function needsClientId({ metadata }: Discovered, options: OAuthOptions = {}): boolean {
  if (metadata === undefined || options.clientId !== undefined) return false;
  const takesOurs =
    options.clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true;
  return metadata.registration_endpoint === undefined && !takesOurs;
}

/** One form of the registration request. */
interface RegistrationVariant {
  readonly redirectUri: string;
  readonly scope: string | undefined;
  readonly method: string;
  readonly grants: readonly string[];
  /** Optional members; strict services refuse members they do not know. */
  readonly extras: 'sent' | 'left out' | 'no matter';
}

/**
 * Registers a client, and retries without whatever the service may have refused: unknown members, the host
 * name, the scopes, a client without a secret, refresh tokens.
 */
async function register(request: ClientRequest): Promise<ChosenClient> {
  const { discovered, redirectUris, scope, clock } = request;
  const { metadata } = discovered;
  if (metadata !== undefined && metadata.registration_endpoint === undefined) throw notRegistered();
  const [redirectUri = '', ...others] = redirectUris;
  const method = authMethod(metadata?.token_endpoint_auth_methods_supported);
  let variant: RegistrationVariant | undefined = {
    redirectUri,
    scope,
    method,
    grants: grantTypes,
    extras: 'sent',
  };
  const failures: unknown[] = [];
  while (variant !== undefined) {
    const asked: RegistrationVariant = variant;
    try {
      // Guessed addresses are not worth waiting for.
      return await (metadata === undefined
        ? registerAs(request, asked)
        : withRetries(clock, () => registerAs(request, asked)));
    } catch (error) {
      failures.push(error);
      variant = nextRegistration(asked, error, others, metadata);
    }
  }
  const { authorizationServer, lookupError } = discovered;
  const passing = failures.find((failure) => !isRefusal(failure));
  if (metadata !== undefined)
    throw passing === undefined ? notRegistered(failures[0]) : serviceBusy(authorizationServer, passing);
  throw lookupError === undefined
    ? noSignInService(authorizationServer, failures[0])
    : cannotBeAsked(authorizationServer, lookupError);
}

/** Returns true if the service clearly refused, rather than failing or being busy. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceRefusal && !isTransientRefusal(error);
}

function nextRegistration(
  asked: RegistrationVariant,
  error: unknown,
  others: readonly string[],
  metadata: ServerMetadata | undefined,
): RegistrationVariant | undefined {
  if (!(error instanceof ServiceRefusal)) return undefined;
  const { status, code, words = '' } = error;
  const other = others.find((one) => one !== asked.redirectUri);
  const isFirstAddress = !others.includes(asked.redirectUri);
  const renamed = isFirstAddress && other !== undefined ? { ...asked, redirectUri: other } : undefined;
  // Only the address is refused, by a proxy in front of the service or by an error in it.
  if (status === 403 || status === 500 || code === 'invalid_redirect_uri') return renamed;
  if (status !== 400 && status !== 422) return undefined;
  if (asked.extras === 'sent' && extraMembers.test(words))
    return { ...asked, scope: undefined, extras: 'left out' };
  const full: RegistrationVariant = asked.extras === 'left out' ? { ...asked, extras: 'no matter' } : asked;
  if (asked.scope !== undefined) return { ...full, scope: undefined };
  if (renamed !== undefined) return { ...full, redirectUri: renamed.redirectUri };
  const mayWantSecret =
    asked.method === 'none' && metadata?.token_endpoint_auth_methods_supported === undefined;
  if (mayWantSecret) return { ...full, method: 'client_secret_basic' };
  if (asked.grants === grantTypes) return { ...full, grants: ['authorization_code'] };
  return full.extras === 'sent' ? { ...full, extras: 'left out' } : undefined;
}

async function registerAs(
  { discovered, redirectUris, fetch }: ClientRequest,
  variant: RegistrationVariant,
): Promise<ChosenClient> {
  const { authorizationServer, metadata } = discovered;
  const { redirectUri: asked, scope } = variant;
  const read = (members: Members) => readClient(members, asked, redirectUris);
  const registered = await registerClient(authorizationServer, {
    clientMetadata: clientMetadata(variant),
    fetchFn: createServiceFetch(fetch, { read }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(scope === undefined ? {} : { scope }),
  });
  const { client_id, client_secret, token_endpoint_auth_method, redirect_uris } = registered;
  const client = {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
  };
  return { client, redirectUri: redirect_uris[0] ?? asked };
}

/**
 * Reads the client from a registration response; every member except the id may be missing. A service may
 * register another of our addresses than the one it was asked for (RFC 7591, 3.2.1).
 */
function readClient(answer: Members, asked: string, ours: readonly string[]): object | undefined {
  const members = withWrapped(answer).find(({ client_id: found }) => textOf(found) !== undefined);
  const id = textOf(members?.client_id);
  if (members === undefined || id === undefined) return undefined;
  const uris = textsOf(members.redirect_uris) ?? [];
  const redirectUri = [asked, ...ours].find((uri) => uris.includes(uri)) ?? asked;
  const [secret, method] = [textOf(members.client_secret), textOf(members.token_endpoint_auth_method)];
  return {
    client_id: id,
    redirect_uris: [redirectUri],
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
  };
}

/** Grant types that Patchbay uses. */
const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** Members as services name them when they do not know them. */
const extraMembers = /\b(?:application_type|client_name|response_types)\b/;

function clientMetadata({
  redirectUri,
  method,
  grants: asked,
  extras,
}: RegistrationVariant): OAuthClientMetadata {
  const known = { client_name: 'Patchbay', application_type: 'native', response_types: ['code'] };
  return {
    ...(extras === 'left out' ? {} : known),
    redirect_uris: [redirectUri],
    grant_types: [...asked],
    token_endpoint_auth_method: method,
  };
}

/** Prefers a public client: a program on a person's machine cannot keep a secret. */
function authMethod(supported: readonly string[] | undefined): string {
  const order = ['none', 'client_secret_basic', 'client_secret_post'];
  return order.find((method) => supported?.includes(method)) ?? 'none';
}

/**
 * Requires PKCE: without it, an intercepted code could be redeemed. A client registered by hand is the user's
 * own decision.
 */
function requirePkce(metadata: ServerMetadata | undefined): void {
  const methods = metadata?.code_challenge_methods_supported;
  if (metadata === undefined || methods?.includes('S256')) return;
  const sentence = 'The sign-in service does not announce PKCE, which protects sign-ins.';
  const fix = 'If you trust it, register a client there and enter its ID under patchbay.oauth.clientId.';
  throw signInFailed(sentence, fix, { code_challenge_methods_supported: methods?.join(' ') ?? '(none)' });
}

/** Requires an address that can be a client id: https, with a path and no fragment. */
function requireDocumentAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const { protocol, pathname, hash, username, password } = url ?? {};
  if (protocol === 'https:' && pathname !== '/' && hash === '' && username === '' && password === '') return;
  const sentence =
    'The URL of the client ID metadata document cannot be used: it must start with https:// and have a path.';
  const fix = 'Fix or remove patchbay.oauth.clientMetadataUrl (PATCHBAY_CLIENT_METADATA_URL).';
  throw signInFailed(sentence, fix, { address: safeAddress(address) });
}

function notRegistered(error?: unknown) {
  const facts = error === undefined ? {} : failureFacts(error);
  return new ProblemError(clientIdNeeded(facts), { cause: error });
}

function serviceBusy(authorizationServer: string, error: unknown) {
  const refusal = error instanceof ServiceRefusal ? error : undefined;
  const sentence = 'The sign-in service is busy or down, so it did not register Patchbay.';
  const again = `Try again ${waitText(refusal?.retryAfter)}.`;
  const fix = `${again} If it keeps happening, register Patchbay as an app there and enter the client ID (patchbay.oauth.clientId).`;
  const evidence = { service: safeAddress(authorizationServer), ...failureFacts(error) };
  return signInFailed(withServerWords(sentence, refusal?.words), fix, evidence, error);
}

function waitText(milliseconds = 0): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds <= 1) return 'later';
  return seconds > 120 ? `in ${Math.ceil(seconds / 60)} minutes` : `in ${seconds} seconds`;
}

function noSignInService(authorizationServer: string, error: unknown) {
  const sentence = 'The server asks for a sign-in but does not name a sign-in service.';
  const fix = 'If it needs a token instead, add the token to the headers in its config.';
  const evidence = { service: safeAddress(authorizationServer), ...failureFacts(error) };
  return signInFailed(sentence, fix, evidence, error);
}
