import { type Problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Fetch } from '../http-connections.ts';
import { serverUrl } from '../http-problem.ts';
import {
  failedPage,
  notCompleted,
  onwardPage,
  pageRefused,
  portTaken,
  resourceRefused,
  strangerPage,
  successPage,
  tooLate,
} from './attempt-words.ts';
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
import { isAboutResource, pageSaysResource } from './resource-refusal.ts';
import { type RefusalWords, readRefusal, ServiceRefusal } from './service-refusal.ts';
import { redeem } from './token-endpoint.ts';

export interface AttemptRequest {
  readonly server: OAuthServer;
  /** The server's challenge, if its refusal had one. */
  readonly challenge?: AuthChallenge;
  /** Scopes of the current sign-in, which this one extends. */
  readonly granted?: string;
  readonly lesson: Lesson;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Stores the sign-in; the browser shows success afterwards. */
  readonly complete: (record: SignInRecord) => Promise<void>;
  /** The attempt ended without a sign-in; not called after `cancel`. */
  readonly failed: (problem: Problem) => void;
}

/** Lessons from the previous attempt. */
export interface Lesson {
  /** Host name of this machine to try first in the redirect address. */
  readonly preferredHost?: string;
  /** The service refuses to be told which server the token is for. */
  readonly refusesResource: boolean;
}

/** One sign-in in progress; it has its own port, state, verifier and client. */
export interface Attempt {
  /** Open this address in a browser. */
  readonly url: string;
  /** Names the host that worked, or the other one if the browser never came back. */
  readonly lesson: Lesson;
  cancel(): void;
}

/** Finds out where to sign in and waits for the browser to return; rejects with ProblemError. */
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
  /** An answer has arrived; a browser that sends it twice gets the same page. */
  | (Open & { readonly kind: 'redeeming'; readonly page: Promise<CallbackPage> })
  | { readonly kind: 'over' };

const patienceMs = 10 * 60_000;

class SignInAttempt implements Attempt {
  readonly #request: AttemptRequest;
  readonly #preparation: Preparation;
  #phase: Phase = { kind: 'preparing' };
  #hosts: readonly [string, string] = ['', ''];
  #hasReturned = false;
  #refusesResource: boolean;

  constructor(request: AttemptRequest, discovered: Discovered) {
    this.#request = request;
    this.#preparation = new Preparation(request, discovered);
    this.#refusesResource = request.lesson.refusesResource;
  }

  get url(): string {
    return this.#phase.kind === 'waiting' ? this.#phase.prepared.url : '';
  }

  get lesson(): Lesson {
    const [host, other] = this.#hosts;
    const isHost = this.#hasReturned || this.#refusesResource !== this.#request.lesson.refusesResource;
    return { preferredHost: isHost ? host : other, refusesResource: this.#refusesResource };
  }

  async open(): Promise<void> {
    const { server: target, clock, lesson } = this.#request;
    const { callbackPort: port, redirectUri, resource = !lesson.refusesResource } = target.options ?? {};
    const address = {
      ...(port === undefined ? {} : { port }),
      ...(redirectUri === undefined ? {} : { redirectUri }),
    };
    const server = await openCallbackServer(address, (visit) => this.#receive(visit));
    try {
      const isLater = (uri: string) => Number(hostOf(uri) !== lesson.preferredHost);
      const redirectUris = server.redirectUris.toSorted((one, other) => isLater(one) - isLater(other));
      const variant = { redirectUris, withoutScope: false, withoutResource: !resource };
      const prepared = await this.#preparation.prepareAccepted(variant);
      if (server.taken !== undefined && !(await this.#preparation.takesAddress(prepared)))
        throw portTaken(server.taken, prepared.redirectUri);
      const timer = clock.after(patienceMs, () => this.#tooLate());
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

  /**
   * Checks the sign-in page if the browser has not returned: it may show a refusal. A plain refusal ends the
   * attempt.
   */
  async #lookAtPage({ url, discovered }: Prepared): Promise<void> {
    const isAwaited = () => this.#phase.kind === 'waiting' && this.#phase.prepared.url === url;
    const page = isAwaited() ? await this.#preparation.look(url) : undefined;
    const text = await page?.text().catch(() => undefined);
    if (page === undefined || text === undefined || !isAwaited()) return;
    const refusal = readRefusal(
      { status: page.status, headers: page.headers, url },
      text,
      membersOf(text),
      [],
    );
    const isPlain = page.status === 400 && refusal.code !== undefined;
    if (
      discovered.resource !== undefined &&
      (pageSaysResource(text) || (isPlain && isAboutResource(refusal)))
    ) {
      this.#refusesResource = true;
      this.#fail(toProblem(resourceRefused()));
    } else if (isPlain) this.#fail(toProblem(pageRefused(refusal, this.#hosts)));
  }

  #tooLate(): void {
    const hadResource = 'prepared' in this.#phase && this.#phase.prepared.discovered.resource !== undefined;
    this.#fail(toProblem(tooLate(hadResource)));
  }

  async #receive({ params, isNavigation }: CallbackVisit): Promise<CallbackPage> {
    const phase = this.#phase;
    if (!('prepared' in phase)) return strangerPage;
    const judged = judgeCallback(params, phase.prepared.expected, isNavigation);
    if (judged.kind === 'stranger') return strangerPage;
    this.#hasReturned = true;
    if (phase.kind === 'redeeming') return phase.page;
    // The state is used up from here on: sending it again only returns the same page.
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
      const refusal = judged.kind === 'refused' ? judged : refusalIn(error);
      return (await this.#sentOn(open, refusal, judged.kind)) ?? this.#failed(error);
    }
  }

  /**
   * Sends the browser to the service again without the part it refused; undefined if there is nothing left to
   * try.
   */
  async #sentOn(
    { server, timer, prepared, variant }: Open,
    refusal: RefusalWords,
    step: 'refused' | 'code',
  ): Promise<CallbackPage | undefined> {
    const next = nextVariant(
      variant,
      prepared,
      refusal,
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
    // Another attempt has replaced this one in the meantime.
    if (this.#phase.kind === 'over') return strangerPage;
    const problem = toProblem(error);
    this.#fail(problem);
    return failedPage(problem);
  }

  async #redeemed(prepared: Prepared, code: string): Promise<SignInRecord> {
    const { server, fetch, clock } = this.#request;
    const redeemed = await redeem({ ...prepared, code }, fetch, clock).catch((error: unknown) => {
      throw notCompleted(error);
    });
    this.#refusesResource = redeemed.discovered.refusesResource ?? false;
    return recordOf(server.url, redeemed, prepared.scope, clock.now());
  }

  #fail(problem: Problem): void {
    this.cancel();
    this.#request.failed(problem);
  }
}

function refusalIn(error: unknown): RefusalWords {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof ServiceRefusal ? cause : {};
}

/** In milliseconds. */
const lookAfterMs = 10_000;

function hostOf(uri: string): string {
  return new URL(uri).hostname;
}
