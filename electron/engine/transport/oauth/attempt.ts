import { randomBytes } from 'node:crypto';
import { startAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { type Problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Fetch } from '../http-connections.ts';
import { serverUrl } from '../http-problem.ts';
import { type ExpectedAnswer, judgeCallback } from './callback.ts';
import { type CallbackPage, type CallbackServer, openCallbackServer } from './callback-server.ts';
import { chooseClient } from './client.ts';
import type { AuthChallenge, OAuthServer } from './contract.ts';
import { type Discovered, discover } from './discover.ts';
import { recordOf, type SignInRecord } from './record.ts';
import { scopesToRequest } from './scopes.ts';
import { failureName, signInFailed } from './sign-in-problem.ts';
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

type Phase =
  | { readonly kind: 'preparing' }
  | {
      readonly kind: 'waiting';
      readonly server: CallbackServer;
      readonly timer: Disposable;
      readonly prepared: Prepared;
    }
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
    const server = await openCallbackServer(target.options?.callbackPort, (params) => this.#receive(params));
    try {
      const prepared = await this.#prepare(server.redirectUri);
      const timer = clock.after(patienceMs, () => this.#fail(toProblem(tooLate())));
      this.#phase = { kind: 'waiting', server, timer, prepared };
    } catch (error) {
      server.close();
      throw error;
    }
  }

  cancel(): void {
    if (this.#phase.kind !== 'waiting') return;
    const { server, timer } = this.#phase;
    this.#phase = { kind: 'over' };
    timer.dispose();
    server.close();
  }

  async #prepare(redirectUri: string): Promise<Prepared> {
    const { fetch, server, challenge, granted } = this.#request;
    const { metadata, scopes, resource, authorizationServer } = this.#discovered;
    const options = server.options ?? {};
    const scope = scopesToRequest({
      ...(options.scopes === undefined ? {} : { configured: options.scopes }),
      ...(challenge?.scope === undefined ? {} : { challenged: challenge.scope }),
      ...(granted === undefined ? {} : { granted }),
      ...(scopes === undefined ? {} : { resource: scopes }),
      ...(metadata?.scopes_supported === undefined ? {} : { offered: metadata.scopes_supported }),
    });
    const client = await chooseClient({ discovered: this.#discovered, options, redirectUri, scope, fetch });
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

  async #receive(params: URLSearchParams): Promise<CallbackPage> {
    if (this.#phase.kind !== 'waiting') return strangerPage;
    const { prepared } = this.#phase;
    const judged = judgeCallback(params, prepared.expected);
    if (judged.kind === 'stranger') return strangerPage;
    // From here on the state is spent: a second answer, whoever brings it, finds nothing.
    this.cancel();
    try {
      if (judged.kind === 'refused') throw judged.error;
      await this.#request.complete(await this.#redeemed(prepared, judged.code));
      return successPage;
    } catch (error) {
      const problem = toProblem(error);
      this.#request.failed(problem);
      return { status: 400, title: 'Not signed in', text: `${problem.sentence} ${problem.fix}` };
    }
  }

  async #redeemed(prepared: Prepared, code: string): Promise<SignInRecord> {
    const { client, codeVerifier, redirectUri, scope } = prepared;
    const { server, fetch, clock } = this.#request;
    const redemption = { discovered: this.#discovered, client, code, codeVerifier, redirectUri };
    const tokens = await redeem(redemption, fetch);
    const requested = scope === undefined ? {} : { requestedScope: scope };
    return recordOf(this.#discovered, server.url, client, { ...tokens, ...requested }, clock.now());
  }

  #fail(problem: Problem): void {
    this.cancel();
    this.#request.failed(problem);
  }
}

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

function tooLate() {
  return signInFailed('The browser did not come back from the sign-in in time.', 'Begin it again.');
}

function unsuitable(error: unknown) {
  const sentence = 'The service that signs you in does not offer the kind of sign-in that programs use.';
  const fix = 'Ask whoever runs the server for another way in, for example a token.';
  return signInFailed(sentence, fix, { error: failureName(error) }, error);
}
