import { randomBytes } from 'node:crypto';
import { startAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { type Problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Fetch } from '../http-connections.ts';
import { serverUrl } from '../http-problem.ts';
import { type CallbackJudgement, type ExpectedAnswer, judgeCallback } from './callback.ts';
import {
  type CallbackPage,
  type CallbackServer,
  type CallbackVisit,
  openCallbackServer,
} from './callback-server.ts';
import { chooseClient } from './client.ts';
import type { AuthChallenge, OAuthServer } from './contract.ts';
import { type Discovered, discover } from './discover.ts';
import { recordOf, type SignInRecord } from './record.ts';
import { scopesToRequest } from './scopes.ts';
import { ServiceRefusal } from './service-refusal.ts';
import { failureFacts, failureName, signInFailed } from './sign-in-problem.ts';
import { redeem } from './token-endpoint.ts';

export interface AttemptRequest {
  readonly server: OAuthServer;
  /** What the server asked for when it refused, if it did. */
  readonly challenge?: AuthChallenge;
  /** Scopes of the sign-in that is to be widened. */
  readonly granted?: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Keeps the sign-in; the browser is told of success after it. */
  readonly complete: (record: SignInRecord) => Promise<void>;
  /** The attempt is over without a sign-in; not called after `cancel`. */
  readonly failed: (problem: Problem) => void;
}

/** One sign-in under way: everything in it (port, state, verifier, client) is its own. */
export interface Attempt {
  /** To be opened in a browser. */
  readonly url: string;
  cancel(): void;
}

/** Finds out where to sign in and waits for the browser to come back; rejects with ProblemError. */
export async function beginAttempt(request: AttemptRequest): Promise<Attempt> {
  const discovered = await discover({
    url: serverUrl(request.server.url),
    fetch: request.fetch,
    ...(request.challenge?.resourceMetadataUrl === undefined
      ? {}
      : { resourceMetadataUrl: request.challenge.resourceMetadataUrl }),
  });
  const attempt = new SignInAttempt(request, discovered);
  await attempt.open();
  return attempt;
}

/** What is needed when the browser comes back. */
interface Prepared {
  readonly url: string;
  readonly expected: ExpectedAnswer;
  readonly client: OAuthClientInformationMixed;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly scope: string | undefined;
}

/** What a service may refuse and a sign-in can do without. */
interface Variant {
  readonly redirectUris: readonly string[];
  readonly withoutScope: boolean;
}

interface Open {
  readonly server: CallbackServer;
  readonly timer: Disposable;
  readonly prepared: Prepared;
  readonly variant: Variant;
}

type Phase =
  | { readonly kind: 'preparing' }
  | (Open & { readonly kind: 'waiting' })
  /** An answer is here; a browser that brings it twice gets the same page. */
  | (Open & { readonly kind: 'redeeming'; readonly page: Promise<CallbackPage> })
  | { readonly kind: 'over' };

const patienceMs = 10 * 60_000;

class SignInAttempt implements Attempt {
  readonly #request: AttemptRequest;
  readonly #discovered: Discovered;
  #phase: Phase = { kind: 'preparing' };

  constructor(request: AttemptRequest, discovered: Discovered) {
    this.#request = request;
    this.#discovered = discovered;
  }

  get url(): string {
    return this.#phase.kind === 'waiting' ? this.#phase.prepared.url : '';
  }

  async open(): Promise<void> {
    const { server: target, clock } = this.#request;
    const { callbackPort: port, redirectUri } = target.options ?? {};
    const address = {
      ...(port === undefined ? {} : { port }),
      ...(redirectUri === undefined ? {} : { redirectUri }),
    };
    const server = await openCallbackServer(address, (visit) => this.#receive(visit));
    try {
      const variant = { redirectUris: server.redirectUris, withoutScope: false };
      const prepared = await this.#prepareAccepted(variant);
      const timer = clock.after(patienceMs, () => this.#fail(toProblem(tooLate())));
      this.#phase = { kind: 'waiting', server, timer, prepared, variant };
    } catch (error) {
      server.close();
      throw error;
    }
  }

  cancel(): void {
    if (!('server' in this.#phase)) return;
    const { server, timer } = this.#phase;
    this.#phase = { kind: 'over' };
    timer.dispose();
    server.close();
  }

  /** Looks whether the service takes the redirect address before a person is sent there, and else takes the other name. */
  async #prepareAccepted(variant: Variant): Promise<Prepared> {
    const first = await this.#prepare(variant);
    const redirectUris = variant.redirectUris.filter((uri) => uri !== first.redirectUri);
    if (redirectUris.length === 0 || !(await this.#isRefused(first.url))) return first;
    const other = await this.#prepare({ ...variant, redirectUris }).catch(() => undefined);
    return other === undefined || (await this.#isRefused(other.url)) ? first : other;
  }

  async #isRefused(url: string): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(lookMs);
      const { status } = await this.#request.fetch(url, { redirect: 'manual', signal });
      return addressRefusals.has(status);
    } catch {
      return false;
    }
  }

  async #prepare({ redirectUris, withoutScope }: Variant): Promise<Prepared> {
    const { fetch, server, clock } = this.#request;
    const { metadata, resource, authorizationServer } = this.#discovered;
    const scope = withoutScope ? undefined : this.#scope();
    const { client, redirectUri } = await chooseClient({
      discovered: this.#discovered,
      options: server.options ?? {},
      redirectUris,
      scope,
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
      throw unsuitable(error);
    });
    const expected: ExpectedAnswer = {
      state,
      namesIssuer: metadata?.authorization_response_iss_parameter_supported === true,
      ...(metadata === undefined ? {} : { issuer: metadata.issuer }),
    };
    const { authorizationUrl, codeVerifier } = begun;
    return { url: authorizationUrl.href, expected, client, codeVerifier, redirectUri, scope };
  }

  #scope(): string | undefined {
    const { server, challenge, granted } = this.#request;
    const { metadata, scopes } = this.#discovered;
    const configured = server.options?.scopes;
    return scopesToRequest({
      ...(configured === undefined ? {} : { configured }),
      ...(challenge?.scope === undefined ? {} : { challenged: challenge.scope }),
      ...(granted === undefined ? {} : { granted }),
      ...(scopes === undefined ? {} : { resource: scopes }),
      ...(metadata?.scopes_supported === undefined ? {} : { offered: metadata.scopes_supported }),
    });
  }

  async #receive({ params, isNavigation }: CallbackVisit): Promise<CallbackPage> {
    const phase = this.#phase;
    if (!('prepared' in phase)) return strangerPage;
    const judged = judgeCallback(params, phase.prepared.expected, isNavigation);
    if (judged.kind === 'stranger') return strangerPage;
    if (phase.kind === 'redeeming') return phase.page;
    // From here on the state is spent: whoever brings it again learns no more than how it ended.
    const page = this.#answered(phase, judged);
    this.#phase = { ...phase, kind: 'redeeming', page };
    return page;
  }

  async #answered(
    open: Open,
    judged: Exclude<CallbackJudgement, { readonly kind: 'stranger' }>,
  ): Promise<CallbackPage> {
    try {
      if (judged.kind === 'refused') throw judged.error;
      const record = await this.#redeemed(open.prepared, judged.code);
      await this.#request.complete(record);
      this.cancel();
      return successPage;
    } catch (error) {
      const code = judged.kind === 'refused' ? judged.code : codeOf(error);
      return (await this.#sentOn(open, code, judged.kind)) ?? this.#failed(error);
    }
  }

  /** Sends the browser to the service again, without what it refused; undefined if that was not tried or cannot be. */
  async #sentOn(
    { server, timer, prepared, variant }: Open,
    code: string | undefined,
    step: 'refused' | 'code',
  ): Promise<CallbackPage | undefined> {
    const next = nextVariant(
      variant,
      prepared,
      code,
      step,
      this.#request.server.options?.scopes !== undefined,
    );
    if (next === undefined) return undefined;
    const again = await this.#prepare(next).catch(() => undefined);
    if (again === undefined || this.#phase.kind !== 'redeeming') return undefined;
    this.#phase = { kind: 'waiting', server, timer, prepared: again, variant: next };
    return { ...onwardPage, location: again.url };
  }

  #failed(error: unknown): CallbackPage {
    // Another attempt has taken over meanwhile.
    if (this.#phase.kind === 'over') return strangerPage;
    const problem = toProblem(error);
    this.#fail(problem);
    const said = problem.evidence.map(({ label, value }) => `${label}: ${value}`).join(', ');
    const text = [problem.sentence, said === '' ? '' : `(${said})`, problem.fix].filter(
      (part) => part !== '',
    );
    return { status: 400, title: 'Not signed in', text: text.join(' ') };
  }

  async #redeemed(prepared: Prepared, code: string): Promise<SignInRecord> {
    const { codeVerifier, redirectUri, scope } = prepared;
    const { server, fetch, clock } = this.#request;
    const redemption = {
      discovered: this.#discovered,
      client: prepared.client,
      code,
      codeVerifier,
      redirectUri,
    };
    const { tokens, client } = await redeem(redemption, fetch, clock).catch((error: unknown) => {
      throw notCompleted(error);
    });
    const requested = scope === undefined ? {} : { requestedScope: scope };
    return recordOf(this.#discovered, server.url, client, { ...tokens, ...requested }, clock.now());
  }

  #fail(problem: Problem): void {
    this.cancel();
    this.#request.failed(problem);
  }
}

/** What to try after a refusal: the other name of this machine, or no scopes where the user wants none in particular. */
function nextVariant(
  variant: Variant,
  { redirectUri, scope }: Prepared,
  code: string | undefined,
  step: 'refused' | 'code',
  wantsScopes: boolean,
): Variant | undefined {
  if (code === 'invalid_scope') {
    return scope === undefined || wantsScopes ? undefined : { ...variant, withoutScope: true };
  }
  const others = variant.redirectUris.filter((uri) => uri !== redirectUri);
  const isAboutAddress = addressCodes.has(code ?? '') || (step === 'code' && code === 'invalid_grant');
  return isAboutAddress && others.length > 0 ? { ...variant, redirectUris: others } : undefined;
}

function codeOf(error: unknown): string | undefined {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof ServiceRefusal ? cause.code : undefined;
}

/** Codes with which services refuse a redirect address. At the token endpoint it is `invalid_grant` (RFC 6749, 5.2). */
const addressCodes: ReadonlySet<string> = new Set([
  'invalid_redirect_uri',
  'redirect_uri_mismatch',
  'invalid_request',
  'invalid_client_metadata',
]);
/** Statuses of the page that refuses one; others say nothing of it. */
const addressRefusals: ReadonlySet<number> = new Set([400, 401, 403, 422]);
/** Milliseconds. */
const lookMs = 5000;

const strangerPage: CallbackPage = {
  status: 400,
  title: 'Not expected',
  text: 'This sign-in is not, or no longer, waited for. Begin it again in Patchbay.',
};

const successPage: CallbackPage = {
  status: 200,
  title: 'Signed in',
  text: 'You can close this page and go back to Patchbay.',
};

const onwardPage: CallbackPage = {
  status: 302,
  title: 'One more time',
  text: 'The service is asked again in another way.',
};

function tooLate() {
  return signInFailed('The browser did not come back from the sign-in in time.', 'Begin it again.');
}

function notCompleted(error: unknown) {
  const sentence = 'The service did not complete the sign-in.';
  return signInFailed(sentence, 'Try again.', failureFacts(error), error);
}

function unsuitable(error: unknown) {
  const sentence = 'The service that signs you in does not offer the kind of sign-in that programs use.';
  const fix = 'Ask whoever runs the server for another way in, for example a token.';
  return signInFailed(sentence, fix, { error: failureName(error) }, error);
}
