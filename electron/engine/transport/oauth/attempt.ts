import { type Problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Disposable } from '../../base/emitter.ts';
import { serverUrl } from '../http-client/http-problem.ts';
import {
  documentRefused,
  failedPage,
  notCompleted,
  pageRefused,
  portTaken,
  resourceRefused,
  retryPage,
  successPage,
  timedOut,
  unexpectedPage,
} from './attempt-messages.ts';
import { type CallbackJudgement, judgeCallback } from './callback.ts';
import {
  type CallbackPage,
  type CallbackServer,
  type CallbackVisit,
  openCallbackServer,
} from './callback-server.ts';
import { discover } from './discover.ts';
import { isSameIssuer, issuerOf } from './issuer.ts';
import {
  nextVariant,
  Preparation,
  type PreparationRequest,
  type Prepared,
  type Variant,
} from './prepare-sign-in.ts';
import { membersOf } from './read-response.ts';
import { type PreviousSignIn, recordOf, type SignInRecord } from './record.ts';
import { isAboutResource, pageRefusesResource } from './resource-refusal.ts';
import { type RefusalReason, readServiceRefusal, ServiceRefusal } from './service-refusal.ts';
import { clientOfOtherService } from './sign-in-problem.ts';
import { redeem } from './token-endpoint.ts';

export interface AttemptRequest extends PreparationRequest {
  readonly previous?: PreviousSignIn;
  readonly hints: AttemptHints;
  /** Stores the sign-in; the browser shows success afterwards. */
  readonly onSignedIn: (record: SignInRecord) => Promise<void>;
  /** The attempt ended without a sign-in; not called after `cancel`. */
  readonly onFailed: (problem: Problem) => void;
}

/** Lessons from the previous attempt. */
export interface AttemptHints {
  /** Host name of this machine to try first in the redirect address. */
  readonly preferredHost?: string;
  /** The service refuses to be told which server the token is for. */
  readonly refusesResource: boolean;
  /** The service refuses the client id metadata document. */
  readonly refusesDocument: boolean;
}

/** One sign-in in progress; it has its own port, state, verifier and client. */
export interface Attempt {
  /** Open this address in a browser. */
  readonly url: string;
  /** Names the host that worked, or the other one if the browser never came back. */
  readonly hints: AttemptHints;
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
  const { previous, server, hints } = request;
  const issuer = issuerOf(discovered);
  const isOther = previous !== undefined && !isSameIssuer(previous.issuer, issuer);
  // Neither client nor scopes of one service mean anything to another.
  if (isOther && previous.clientId === server.options?.clientId)
    throw clientOfOtherService(previous.issuer, issuer);
  const granted = isOther ? undefined : previous?.scope;
  const attempt = new SignInAttempt(
    isOther ? { ...request, hints: { ...hints, refusesResource: false, refusesDocument: false } } : request,
    new Preparation(request, discovered, granted),
  );
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

const timeoutMs = 10 * 60_000;

class SignInAttempt implements Attempt {
  readonly #request: AttemptRequest;
  readonly #preparation: Preparation;
  #phase: Phase = { kind: 'preparing' };
  #hostNames: readonly [string, string] = ['', ''];
  #hasReturned = false;
  #refusesResource: boolean;
  #refusesDocument: boolean;

  constructor(request: AttemptRequest, preparation: Preparation) {
    this.#request = request;
    this.#preparation = preparation;
    this.#refusesResource = request.hints.refusesResource;
    this.#refusesDocument = request.hints.refusesDocument;
  }

  get url(): string {
    return this.#phase.kind === 'waiting' ? this.#phase.prepared.url : '';
  }

  get hints(): AttemptHints {
    const [host, other] = this.#hostNames;
    const { hints } = this.#request;
    const refuses = { refusesResource: this.#refusesResource, refusesDocument: this.#refusesDocument };
    const isOtherReason =
      refuses.refusesResource !== hints.refusesResource || refuses.refusesDocument !== hints.refusesDocument;
    return { preferredHost: this.#hasReturned || isOtherReason ? host : other, ...refuses };
  }

  async open(): Promise<void> {
    const { server: target, clock, hints } = this.#request;
    const { callbackPort: port, redirectUri, resource = !hints.refusesResource } = target.options ?? {};
    const address = {
      ...(port === undefined ? {} : { port }),
      ...(redirectUri === undefined ? {} : { redirectUri }),
    };
    const server = await openCallbackServer(address, (visit) => this.#receive(visit));
    try {
      const isLater = (uri: string) => Number(hostOf(uri) !== hints.preferredHost);
      const redirectUris = server.redirectUris.toSorted((one, other) => isLater(one) - isLater(other));
      const variant = {
        redirectUris,
        withoutScope: false,
        withoutResource: !resource,
        withoutDocument: hints.refusesDocument,
      };
      const prepared = await this.#preparation.prepareAccepted(variant);
      if (server.occupiedPort !== undefined && !(await this.#preparation.acceptsAddress(prepared)))
        throw portTaken(server.occupiedPort, prepared.redirectUri);
      const timer = clock.after(timeoutMs, () => this.#timeOut());
      this.#phase = { kind: 'waiting', server, timer, prepared, variant };
      this.#setHosts(prepared, redirectUris);
      clock.after(checkPageAfterMs, () => void this.#checkPage(prepared));
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

  #setHosts({ redirectUri }: Prepared, redirectUris: readonly string[]): void {
    const other = redirectUris.find((uri) => uri !== redirectUri) ?? redirectUri;
    this.#hostNames = [hostOf(redirectUri), hostOf(other)];
  }

  /**
   * Checks the sign-in page if the browser has not returned: it may show a refusal. A plain refusal ends the
   * attempt.
   */
  async #checkPage({ url, discovered, client }: Prepared): Promise<void> {
    const isAwaited = () => this.#phase.kind === 'waiting' && this.#phase.prepared.url === url;
    const page = isAwaited() ? await this.#preparation.fetchPage(url) : undefined;
    const text = await page?.text().catch(() => undefined);
    if (page === undefined || text === undefined || !isAwaited()) return;
    const refusal = readServiceRefusal(
      { status: page.status, headers: page.headers, url },
      text,
      membersOf(text),
      [],
    );
    const isPlain = page.status === 400 && refusal.code !== undefined;
    if (
      discovered.resource !== undefined &&
      (pageRefusesResource(text) || (isPlain && isAboutResource(refusal)))
    ) {
      this.#refusesResource = true;
      this.#fail(toProblem(resourceRefused()));
    } else if (
      client.client_id === this.#request.server.options?.clientMetadataUrl &&
      discovered.metadata?.registration_endpoint !== undefined &&
      refusal.code !== undefined &&
      [400, 401, 403].includes(page.status)
    ) {
      this.#refusesDocument = true;
      this.#fail(toProblem(documentRefused(refusal)));
    } else if (isPlain) this.#fail(toProblem(pageRefused(refusal, this.#hostNames)));
  }

  #timeOut(): void {
    const hadResource = 'prepared' in this.#phase && this.#phase.prepared.discovered.resource !== undefined;
    this.#fail(toProblem(timedOut(hadResource)));
  }

  async #receive({ params, isNavigation }: CallbackVisit): Promise<CallbackPage> {
    const phase = this.#phase;
    if (!('prepared' in phase)) return unexpectedPage;
    const judged = judgeCallback(params, phase.prepared.expected, isNavigation);
    if (judged.kind === 'stranger') return unexpectedPage;
    this.#hasReturned = true;
    if (phase.kind === 'redeeming') return phase.page;
    // The state is used up from here on: sending it again only returns the same page.
    const page = this.#finish(phase, judged);
    this.#phase = { ...phase, kind: 'redeeming', page };
    return page;
  }

  async #finish(
    open: Open,
    judged: Exclude<CallbackJudgement, { readonly kind: 'stranger' }>,
  ): Promise<CallbackPage> {
    try {
      if (judged.kind === 'refused') throw judged.error;
      const record = await this.#redeem(open.prepared, judged.code);
      await this.#request.onSignedIn(record);
      this.cancel();
      return successPage;
    } catch (error) {
      const refusal = judged.kind === 'refused' ? judged : refusalIn(error);
      return (await this.#retryInBrowser(open, refusal, judged.kind)) ?? this.#failurePage(error);
    }
  }

  /**
   * Sends the browser to the service again without the part it refused; undefined if there is nothing left to
   * try.
   */
  async #retryInBrowser(
    { server, timer, prepared, variant }: Open,
    refusal: RefusalReason,
    step: 'refused' | 'code',
  ): Promise<CallbackPage | undefined> {
    const next = nextVariant(variant, prepared, refusal, step, this.#request.server.options);
    if (next === undefined) return undefined;
    const again = await this.#preparation.prepare(next).catch(() => undefined);
    if (again === undefined || this.#phase.kind !== 'redeeming') return undefined;
    this.#phase = { kind: 'waiting', server, timer, prepared: again, variant: next };
    this.#setHosts(again, server.redirectUris);
    return { ...retryPage, location: again.url };
  }

  #failurePage(error: unknown): CallbackPage {
    // Another attempt has replaced this one in the meantime.
    if (this.#phase.kind === 'over') return unexpectedPage;
    const problem = toProblem(error);
    this.#fail(problem);
    return failedPage(problem);
  }

  async #redeem(prepared: Prepared, code: string): Promise<SignInRecord> {
    const { server, fetch, clock } = this.#request;
    const redeemed = await redeem({ ...prepared, code }, fetch, clock).catch((error: unknown) => {
      throw notCompleted(error);
    });
    this.#refusesResource = redeemed.discovered.refusesResource ?? false;
    const { scope, wantedScope } = prepared;
    const scopes = {
      ...(scope === undefined ? {} : { scope }),
      ...(wantedScope === undefined ? {} : { wantedScope }),
    };
    return recordOf(server.url, redeemed, scopes, clock.now());
  }

  #fail(problem: Problem): void {
    this.cancel();
    this.#request.onFailed(problem);
  }
}

function refusalIn(error: unknown): RefusalReason {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof ServiceRefusal ? cause : {};
}

/** In milliseconds. */
const checkPageAfterMs = 10_000;

function hostOf(uri: string): string {
  return new URL(uri).hostname;
}
