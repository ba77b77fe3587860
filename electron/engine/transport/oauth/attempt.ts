import { type Problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Fetch } from '../http-connections.ts';
import { serverUrl } from '../http-problem.ts';
import { type CallbackJudgement, judgeCallback } from './callback.ts';
import {
  type CallbackPage,
  type CallbackServer,
  type CallbackVisit,
  openCallbackServer,
} from './callback-server.ts';
import type { AuthChallenge, OAuthServer } from './contract.ts';
import { type Discovered, discover } from './discover.ts';
import { nextVariant, Preparation, type Prepared, type Variant } from './prepare-sign-in.ts';
import { membersOf } from './read-answer.ts';
import { recordOf, type SignInRecord } from './record.ts';
import { readRefusal, ServiceRefusal } from './service-refusal.ts';
import { failureFacts, sayingSo, signInFailed } from './sign-in-problem.ts';
import { redeem } from './token-endpoint.ts';

export interface AttemptRequest {
  readonly server: OAuthServer;
  /** What the server asked for when it refused, if it did. */
  readonly challenge?: AuthChallenge;
  /** Scopes of the sign-in that is to be widened. */
  readonly granted?: string;
  /** The name of this machine to try first in the redirect address. */
  readonly preferredHost?: string;
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
  /** The name of this machine in the redirect address, and the one to try where the browser never came back. */
  readonly host: string;
  readonly otherHost: string;
  /** The browser has come back, whatever it brought. */
  readonly hasReturned: boolean;
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
  readonly #preparation: Preparation;
  #phase: Phase = { kind: 'preparing' };
  #hosts: readonly [string, string] = ['', ''];
  #hasReturned = false;

  constructor(request: AttemptRequest, discovered: Discovered) {
    this.#request = request;
    this.#discovered = discovered;
    this.#preparation = new Preparation(request, discovered);
  }

  get url(): string {
    return this.#phase.kind === 'waiting' ? this.#phase.prepared.url : '';
  }

  get host(): string {
    return this.#hosts[0];
  }

  get otherHost(): string {
    return this.#hosts[1];
  }

  get hasReturned(): boolean {
    return this.#hasReturned;
  }

  async open(): Promise<void> {
    const { server: target, clock, preferredHost } = this.#request;
    const { callbackPort: port, redirectUri } = target.options ?? {};
    const address = {
      ...(port === undefined ? {} : { port }),
      ...(redirectUri === undefined ? {} : { redirectUri }),
    };
    const server = await openCallbackServer(address, (visit) => this.#receive(visit));
    try {
      const isLater = (uri: string) => Number(hostOf(uri) !== preferredHost);
      const redirectUris = server.redirectUris.toSorted((one, other) => isLater(one) - isLater(other));
      const variant = { redirectUris, withoutScope: false };
      const prepared = await this.#preparation.prepareAccepted(variant);
      if (server.taken !== undefined && !(await this.#preparation.takesAddress(prepared)))
        throw portTaken(server.taken, prepared.redirectUri);
      const timer = clock.after(patienceMs, () => this.#fail(toProblem(tooLate())));
      this.#phase = { kind: 'waiting', server, timer, prepared, variant };
      this.#note(prepared, redirectUris);
      clock.after(lookAfterMs, () => void this.#lookAtPage(prepared));
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

  #note({ redirectUri }: Prepared, redirectUris: readonly string[]): void {
    const other = redirectUris.find((uri) => uri !== redirectUri) ?? redirectUri;
    this.#hosts = [hostOf(redirectUri), hostOf(other)];
  }

  /** A browser that does not come back may be at a page that refuses it; where that says so plainly, the wait is over. */
  async #lookAtPage({ url }: Prepared): Promise<void> {
    const isAwaited = () => this.#phase.kind === 'waiting' && this.#phase.prepared.url === url;
    const page = isAwaited() ? await this.#preparation.look(url) : undefined;
    if (page?.status !== 400) return;
    const text = await page.text();
    const refusal = readRefusal({ status: page.status, headers: page.headers, url }, text, membersOf(text), []);
    if (isAwaited() && refusal.code !== undefined) this.#fail(toProblem(pageRefused(refusal, this.#hosts)));
  }

  async #receive({ params, isNavigation }: CallbackVisit): Promise<CallbackPage> {
    const phase = this.#phase;
    if (!('prepared' in phase)) return strangerPage;
    const judged = judgeCallback(params, phase.prepared.expected, isNavigation);
    if (judged.kind === 'stranger') return strangerPage;
    this.#hasReturned = true;
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
    const again = await this.#preparation.prepare(next).catch(() => undefined);
    if (again === undefined || this.#phase.kind !== 'redeeming') return undefined;
    this.#phase = { kind: 'waiting', server, timer, prepared: again, variant: next };
    this.#note(again, server.redirectUris);
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

function codeOf(error: unknown): string | undefined {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof ServiceRefusal ? cause.code : undefined;
}

/** Milliseconds. */
const lookAfterMs = 10_000;

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
  return signInFailed('The browser did not return from the sign-in in time.', 'Begin it again.');
}

function pageRefused(refusal: ServiceRefusal, [host, otherHost]: readonly [string, string]) {
  const fix =
    host === otherHost
      ? 'Check what the service says, and patchbay.oauth.redirectUri if it is about the address.'
      : `Sign in again: the redirect address then names ${otherHost} rather than ${host}.`;
  const sentence = sayingSo('The service refused the sign-in.', refusal.words);
  return signInFailed(sentence, fix, failureFacts(refusal), refusal);
}

function portTaken(port: number, other: string) {
  const sentence = `Another program uses port ${port}, and the service accepts no other port of the redirect address.`;
  const fix = `Close that program and sign in again, or register ${other} with the service and enter that address.`;
  return signInFailed(sentence, fix, { port });
}

function hostOf(uri: string): string {
  return new URL(uri).hostname;
}

function notCompleted(error: unknown) {
  const words = error instanceof ServiceRefusal ? error.words : undefined;
  const sentence = sayingSo('The service did not complete the sign-in.', words);
  return signInFailed(sentence, 'Sign in again.', failureFacts(error), error);
}
