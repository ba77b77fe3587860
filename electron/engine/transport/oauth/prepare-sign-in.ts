import { randomBytes } from 'node:crypto';
import { startAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../http-client/http-connections.ts';
import type { ExpectedAnswer } from './callback.ts';
import { chooseClient } from './client.ts';
import type { AuthChallenge, OAuthOptions, OAuthServer } from './contract.ts';
import type { Discovered } from './discover.ts';
import { expectedIssuer } from './issuer.ts';
import { wordsOf } from './record.ts';
import { isResourceRefusal, withoutResource } from './resource-refusal.ts';
import type { RefusalReason } from './service-refusal.ts';
import { failureName, signInFailed } from './sign-in-problem.ts';

export interface PreparationRequest {
  readonly server: OAuthServer;
  /** The server's challenge, if its refusal had one. */
  readonly challenge?: AuthChallenge;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Data needed when the browser returns. */
export interface Prepared {
  readonly url: string;
  readonly expected: ExpectedAnswer;
  readonly client: OAuthClientInformationMixed;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  /** Scopes that were to be requested; a service may refuse the request because of them. */
  readonly wantedScope: string | undefined;
  /** The service, with the resource that was sent to it. */
  readonly discovered: Discovered;
}

/** Parts of a sign-in that a service may refuse, and that can be changed or left out. */
export interface Variant {
  readonly redirectUris: readonly string[];
  readonly withoutScope: boolean;
  readonly withoutResource: boolean;
  readonly withoutDocument: boolean;
}

/** Creates the address to open in the browser, each with its own client, state and verifier. */
export class Preparation {
  readonly #request: PreparationRequest;
  readonly #discovered: Discovered;
  readonly #granted: string | undefined;

  /** `granted`: scopes of the current sign-in, which this one extends. */
  constructor(request: PreparationRequest, discovered: Discovered, granted: string | undefined) {
    this.#request = request;
    this.#discovered = discovered;
    this.#granted = granted;
  }

  /**
   * Checks which redirect address the service accepts. A client registered by hand has one of two, and only
   * the page shown to the browser says which; any other client is registered with its own.
   */
  async prepareAccepted(variant: Variant): Promise<Prepared> {
    const first = await this.prepare(variant);
    const redirectUris = variant.redirectUris.filter((uri) => uri !== first.redirectUri);
    const isByHand = this.#request.server.options?.clientId !== undefined;
    if (!isByHand || redirectUris.length === 0 || !addressRefusals.has(await this.#statusOf(first.url))) {
      return first;
    }
    const other = await this.prepare({ ...variant, redirectUris });
    return addressRefusals.has(await this.#statusOf(other.url)) ? first : other;
  }

  /** Returns false if the service clearly refuses the redirect address. */
  async acceptsAddress({ url }: Prepared): Promise<boolean> {
    return !addressRefusals.has(await this.#statusOf(url));
  }

  async #statusOf(url: string): Promise<number> {
    return (await this.fetchPage(url))?.status ?? 0;
  }

  async fetchPage(url: string): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(pageTimeoutMs);
    return this.#request.fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
  }

  async prepare(variant: Variant): Promise<Prepared> {
    const { redirectUris, withoutScope, withoutResource: isWithout, withoutDocument } = variant;
    const { fetch, server, clock } = this.#request;
    const discovered = isWithout ? withoutResource(this.#discovered) : this.#discovered;
    const { metadata, resource, authorizationServer } = discovered;
    const wantedScope = this.#scope();
    const scope = withoutScope ? undefined : wantedScope;
    const { client, redirectUri } = await chooseClient({
      discovered,
      options: server.options ?? {},
      redirectUris,
      scope,
      withoutDocument,
      fetch,
      clock,
    });
    const state = randomBytes(32).toString('base64url');
    const begun = await startAuthorization(authorizationServer, {
      clientInformation: client,
      redirectUrl: redirectUri,
      state,
      ...(metadata === undefined ? {} : { metadata }),
      ...(scope === undefined ? {} : { scope }),
      ...(resource === undefined ? {} : { resource }),
    }).catch((error: unknown) => {
      throw unsupportedSignIn(error);
    });
    const expected: ExpectedAnswer = {
      state,
      issuer: expectedIssuer(discovered),
      namesIssuer: metadata?.authorization_response_iss_parameter_supported === true,
    };
    const { authorizationUrl, codeVerifier } = begun;
    return {
      url: authorizationUrl.href,
      expected,
      client,
      codeVerifier,
      redirectUri,
      scope,
      wantedScope,
      discovered,
    };
  }

  #scope(): string | undefined {
    const { server, challenge } = this.#request;
    const granted = this.#granted;
    const { metadata, scopes } = this.#discovered;
    const configured = server.options?.scopes;
    return scopesToRequest({
      ...(configured === undefined ? {} : { configured }),
      ...(challenge?.scope === undefined ? {} : { challenged: challenge.scope }),
      ...(granted === undefined ? {} : { granted }),
      needsMore: challenge?.status === 403 && challenge.scope === undefined,
      ...(scopes === undefined ? {} : { resource: scopes }),
      ...(metadata?.scopes_supported === undefined ? {} : { offered: metadata.scopes_supported }),
    });
  }
}

/**
 * Decides what to try after a refusal: no resource, no scopes unless the user set them, a registered client in
 * place of a client id metadata document, or the other host name.
 */
export function nextVariant(
  variant: Variant,
  { redirectUri, scope, discovered, client }: Prepared,
  refusal: RefusalReason,
  step: 'refused' | 'code',
  { scopes, clientMetadataUrl }: OAuthOptions = {},
): Variant | undefined {
  const { code = '', words = '' } = refusal;
  if (discovered.resource !== undefined && isResourceRefusal(refusal))
    return { ...variant, withoutResource: true };
  const mayDrop = scope !== undefined && scopes === undefined;
  if (code === 'invalid_scope') return mayDrop ? { ...variant, withoutScope: true } : undefined;
  if (mayDrop && code === 'invalid_request' && /\bscopes?\b/i.test(words))
    return { ...variant, withoutScope: true };
  const isDocument = client.client_id === clientMetadataUrl;
  if (isDocument && clientCodes.has(code)) return { ...variant, withoutDocument: true };
  const others = variant.redirectUris.filter((uri) => uri !== redirectUri);
  const isAboutAddress = addressCodes.has(code) || (step === 'code' && code === 'invalid_grant');
  if (!isAboutAddress) return undefined;
  if (others.length > 0) return { ...variant, redirectUris: others };
  return isDocument ? { ...variant, withoutDocument: true } : undefined;
}

/** Error codes with which services refuse a client. */
const clientCodes: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_client_metadata',
]);

/**
 * Error codes with which services refuse a redirect address. The token endpoint uses `invalid_grant` (RFC
 * 6749, 5.2).
 */
const addressCodes: ReadonlySet<string> = new Set([
  'invalid_redirect_uri',
  'redirect_uri_mismatch',
  'invalid_request',
  'invalid_client_metadata',
]);
/** Statuses of a page that refuses the redirect address; others say nothing about it. */
const addressRefusals: ReadonlySet<number> = new Set([400, 401, 403, 422]);
/** In milliseconds. */
const pageTimeoutMs = 5000;

function unsupportedSignIn(error: unknown) {
  const sentence = 'The sign-in service does not offer a sign-in that programs can use.';
  const fix = 'Ask whoever runs the server for another way in, for example a token.';
  return signInFailed(sentence, fix, { error: failureName(error) }, error);
}

export interface ScopeSources {
  /** Scopes in the user's config. */
  readonly configured?: readonly string[];
  /** Scopes named in the server's refusal. */
  readonly challenged?: string;
  /** Scopes of the current sign-in; set only to extend it. */
  readonly granted?: string;
  /** The server refuses what was granted, and names no scope. */
  readonly needsMore?: boolean;
  /** `scopes_supported` of the protected resource. */
  readonly resource?: readonly string[];
  /** `scopes_supported` of the authorization server. */
  readonly offered?: readonly string[];
}

/**
 * Returns the scopes to request, or undefined for the authorization server's default. Scopes named by the
 * server come before the general list; an extended sign-in keeps its earlier scopes; `offline_access` is
 * added if the service needs it for a refresh token.
 */
export function scopesToRequest(sources: ScopeSources): string | undefined {
  const named = [...wordsOf(sources.granted), ...(sources.configured ?? []), ...wordsOf(sources.challenged)];
  const isOpen = named.length === 0 || sources.needsMore === true;
  const wanted = isOpen ? [...named, ...(sources.resource ?? [])] : named;
  const offline = sources.offered?.includes('offline_access') ? ['offline_access'] : [];
  const all = [...new Set([...wanted, ...offline])];
  return all.length === 0 ? undefined : all.join(' ');
}
