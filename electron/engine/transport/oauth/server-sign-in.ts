import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { ConnectionClosedError } from '../../jsonrpc/message.ts';
import type { Fetch } from '../http-client/http-connections.ts';
import { type AccessRefusal, accessProblem, publicUrl, serverUrl } from '../http-client/http-problem.ts';
import { type Attempt, type AttemptHints, beginAttempt } from './attempt.ts';
import type {
  AuthChallenge,
  OAuthSecrets,
  OAuthServer,
  RemoteAuthorization,
  SignInView,
} from './contract.ts';
import { findIssuerChange, findRemedy } from './find-remedy.ts';
import {
  isDue,
  isExpired,
  type PreviousSignIn,
  parseRecord,
  parseRemains,
  previousOf,
  printRecord,
  printRemains,
  recordName,
  refreshedRecord,
  type SignInRecord,
  wordsOf,
} from './record.ts';
import { judgeRefresh } from './service-refusal.ts';
import { clientIdNeeded, failureFacts, permissionNotGiven, signInNeeded } from './sign-in-problem.ts';
import { refresh, revoke } from './token-endpoint.ts';

export interface SignInPorts {
  readonly secrets: OAuthSecrets;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** The view changed; `credentials` as in `OAuth.onChange`. */
  readonly onChanged: (credentials: boolean) => void;
}

type State =
  /** Not read from the store yet. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly record: SignInRecord };

/** Reason why a token is not used as it is. */
type RenewalReason = 'due' | 'refused' | 'too-narrow';

/** One odd response to a refresh may be a network fault; two in a row are not. */
const maxDoubtful = 2;
/** In milliseconds. */
const initialRetryMs = 5000;
const maxRetryMs = 30_000;
const maxNarrowScopes = 100;

/** Manages the sign-in to one server: its tokens, and the attempt to get them. */
export class ServerSignIn implements RemoteAuthorization {
  readonly #server: OAuthServer;
  readonly #name: string;
  readonly #ports: SignInPorts;
  readonly #attempts = new SerialQueue();
  #state: State = { kind: 'unread' };
  #attempt: Attempt | undefined;
  /** Start of the attempt, and whether no browser could be opened. */
  #wait: { readonly since: number; readonly unopened?: true } = { since: 0 };
  #hints: AttemptHints = { refusesResource: false, refusesDocument: false };
  /** Shared by all requests that wait for it. */
  #renewal: Promise<string | undefined> | undefined;
  /** The last refusal that a sign-in could resolve. */
  #challenge: AuthChallenge | undefined;
  /** Scopes for want of which requests were refused since the last sign-in. */
  readonly #narrowScopes = new Set<string>();
  /** The last sign-in asked for all scopes that the server lists, after a refusal that named none. */
  #hasAskedForAll = false;
  /** The server asks for a key, not a sign-in. */
  #wantsKey = false;
  #problem: Problem | undefined;
  /** Help for refused requests while the server answers others. */
  #offeredHelp: Problem | undefined;
  /** Error that ended the last sign-in. */
  #ended: unknown;
  /** The last sign-in ended, but not because the user signed out. */
  #hasEnded = false;
  /** Consecutive refresh responses that were neither tokens nor a plain refusal. */
  #doubtful = 0;
  /**
   * Earliest time of the next refresh while the current token is valid; the delay grows with each failure.
   */
  #refreshDelay = { until: 0, pause: initialRetryMs };

  constructor(server: OAuthServer, ports: SignInPorts) {
    this.#server = server;
    this.#name = recordName(server);
    this.#ports = ports;
  }

  view(): SignInView | undefined {
    const signedIn = this.#state.kind === 'in';
    const pending = this.#attempt !== undefined;
    const problem = this.#problem ?? this.#offeredHelp ?? this.#widerSignIn();
    const isAsked = this.#challenge !== undefined && !this.#wantsKey;
    if (!signedIn && !pending && problem === undefined && !isAsked) return undefined;
    return {
      signedIn,
      pending,
      ...(pending ? this.#wait : {}),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /** Suggests a wider sign-in: the server works, but refuses some calls. */
  #widerSignIn(): Problem | undefined {
    const asked = this.#challenge;
    if (this.#state.kind !== 'in' || asked?.status !== 403) return undefined;
    return this.problem(asked, true);
  }

  problem(challenge: AuthChallenge, hadToken: boolean): Problem {
    const url = serverUrl(this.#server.url);
    return this.#isInVain(challenge)
      ? permissionNotGiven(url, challenge)
      : signInNeeded(url, challenge, hadToken, this.#ended);
  }

  /** Returns true if the sign-in has already asked for the permission that the server wants. */
  #isInVain({ status, scope }: AuthChallenge): boolean {
    if (this.#state.kind !== 'in' || status !== 403) return false;
    const asked = new Set(wordsOf(this.#state.record.wantedScope));
    return scope === undefined ? this.#hasAskedForAll : wordsOf(scope).every((word) => asked.has(word));
  }

  async token(): Promise<string | undefined> {
    const record = await this.#current();
    const now = this.#ports.clock.now();
    // A token that cannot be refreshed is used until the server refuses it, even past its expiry.
    if (record?.refreshToken === undefined || !isDue(record, now)) return record?.accessToken;
    if (now < this.#refreshDelay.until && !isExpired(record, now)) return record.accessToken;
    return this.#renewShared(record.accessToken, 'due');
  }

  async renew(refused: string | undefined, challenge: AuthChallenge): Promise<string | undefined> {
    const isTooNarrow = challenge.status === 403;
    if (!isTooNarrow) this.#note(challenge);
    const reason = isTooNarrow ? 'too-narrow' : 'refused';
    const token = refused === undefined ? undefined : await this.#renewShared(refused, reason);
    // A wider token may have been granted in the meantime.
    if (isTooNarrow && token === undefined) this.#note(challenge);
    return token;
  }

  #note(challenge: AuthChallenge): void {
    this.#challenge = challenge;
    if (challenge.status === 403)
      for (const scope of wordsOf(challenge.scope))
        if (this.#narrowScopes.size < maxNarrowScopes) this.#narrowScopes.add(scope);
    this.#ports.onChanged(false);
  }

  async diagnose(challenge: AuthChallenge, refusal: AccessRefusal, isAlone = false): Promise<Problem> {
    const found = await this.#diagnose(challenge, refusal);
    this.#offeredHelp = isAlone ? found : undefined;
    this.#ports.onChanged(false);
    return found;
  }

  async #diagnose(challenge: AuthChallenge, refusal: AccessRefusal): Promise<Problem> {
    const url = serverUrl(this.#server.url);
    // The user was signed in to this server before.
    if (this.#hasEnded) return signInNeeded(url, challenge, true, this.#ended, refusal);
    const way = await findRemedy(this.#server, challenge, this.#ports);
    this.#wantsKey = way === 'key';
    this.#challenge = challenge;
    const { words = challenge.said } = refusal;
    if (way === 'key') return accessProblem(url, { ...refusal, words });
    if (way === 'client-id' && this.#ended === undefined) return clientIdNeeded({ 'the server said': words });
    return signInNeeded(url, challenge, false, this.#ended, refusal);
  }

  signIn(): Promise<{ readonly url: string }> {
    return this.#attempts.run(async () => {
      this.#updateHints();
      this.#endAttempt();
      const previous = await this.#previous();
      const { fetch, clock } = this.#ports;
      const beginning = beginAttempt({
        server: this.#server,
        fetch,
        clock,
        onSignedIn: (fresh) => this.#complete(fresh),
        onFailed: (problem) => {
          this.#updateHints();
          this.#fail(problem);
        },
        hints: this.#hints,
        ...this.#wantedChallenge(),
        ...(previous === undefined ? {} : { previous }),
      });
      const attempt = await beginning.catch((error: unknown) => {
        // A server that asks for a key is not affected by the failed attempt.
        if (!this.#wantsKey) this.#fail(toProblem(error));
        throw error;
      });
      this.#attempt = attempt;
      this.#wait = { since: clock.now() };
      this.#problem = undefined;
      this.#ports.onChanged(false);
      return { url: attempt.url };
    });
  }

  /** Adds the scopes of earlier refusals, so that one sign-in serves all of them. */
  #wantedChallenge(): { readonly challenge?: AuthChallenge } {
    if (this.#challenge === undefined) return {};
    const scopes = new Set([...this.#narrowScopes, ...wordsOf(this.#challenge.scope)]);
    return {
      challenge: { ...this.#challenge, ...(scopes.size === 0 ? {} : { scope: [...scopes].join(' ') }) },
    };
  }

  link(): string | undefined {
    const url = this.#attempt?.url;
    return url === '' ? undefined : url;
  }

  unopened(): void {
    if (this.#attempt === undefined) return;
    this.#wait = { ...this.#wait, unopened: true };
    this.#ports.onChanged(false);
  }

  async signOut(): Promise<void> {
    this.#endAttempt();
    const { secrets, fetch } = this.#ports;
    const record = await secrets.exclusive(this.#name, async () => {
      const stored = await this.#read();
      const wasIn = this.#state.kind === 'in';
      await this.#forget();
      this.#ports.onChanged(wasIn);
      return stored;
    });
    this.#problem = undefined;
    // The user is signed out here, whatever the authorization server answers.
    if (record !== undefined) await revoke(record, this.#server.options ?? {}, fetch).catch(() => undefined);
  }

  dispose(): void {
    this.#endAttempt();
  }

  async #current(): Promise<SignInRecord | undefined> {
    if (this.#state.kind === 'unread') {
      try {
        const record = await this.#read();
        if (this.#state.kind === 'unread') this.#adopt(record);
      } catch (error) {
        this.#fail(toProblem(error));
      }
    }
    return this.#state.kind === 'in' ? this.#state.record : undefined;
  }

  #renewShared(stale: string, reason: RenewalReason): Promise<string | undefined> {
    this.#renewal ??= this.#renewLocked(stale, reason).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewLocked(stale: string, reason: RenewalReason): Promise<string | undefined> {
    try {
      return await this.#ports.secrets.exclusive(this.#name, () => this.#replace(stale, reason));
    } catch (error) {
      const record = this.#state.kind === 'in' ? this.#state.record : undefined;
      const now = this.#ports.clock.now();
      if (record !== undefined && reason === 'due' && !isExpired(record, now)) {
        const { pause } = this.#refreshDelay;
        this.#refreshDelay = { until: now + pause, pause: Math.min(pause * 2, maxRetryMs) };
        return record.accessToken;
      }
      throw this.#refreshError(error);
    }
  }

  /**
   * Runs exclusively among all processes: a token that another process got in the meantime is used instead of
   * spending the refresh token again.
   */
  async #replace(stale: string, reason: RenewalReason): Promise<string | undefined> {
    const { clock, fetch } = this.#ports;
    const stored = await this.#read();
    if (stored === undefined) return this.#adopt(undefined);
    if (stored.accessToken !== stale && !isDue(stored, clock.now())) return this.#adopt(stored);
    if (reason === 'too-narrow') return undefined;
    if (reason === 'refused') {
      const change = await findIssuerChange(this.#server, stored, this.#challenge, this.#ports);
      if (change !== undefined) return this.#endSignIn(change);
    }
    const { refreshToken } = stored;
    if (refreshToken === undefined)
      return reason === 'due' ? this.#adopt(stored) : this.#endSignIn(this.#ended);
    try {
      const redeemed = await refresh({ ...stored, refreshToken }, this.#server.options ?? {}, fetch);
      this.#doubtful = 0;
      this.#refreshDelay = { until: 0, pause: initialRetryMs };
      const fresh = refreshedRecord(stored, redeemed, clock.now());
      this.#adopt(fresh);
      await this.#write(fresh);
      return fresh.accessToken;
    } catch (error) {
      return this.#handleFailedRefresh(stored, reason, error);
    }
  }

  /**
   * Ends the sign-in if only the user can start another; a token that is still valid is used until it
   * expires.
   */
  async #handleFailedRefresh(
    stored: SignInRecord,
    reason: RenewalReason,
    error: unknown,
  ): Promise<string | undefined> {
    const judged = judgeRefresh(error);
    this.#doubtful = judged === 'doubtful' ? this.#doubtful + 1 : 0;
    if (judged === 'passing' || (judged === 'doubtful' && this.#doubtful < maxDoubtful)) throw error;
    this.#doubtful = 0;
    this.#ended = error;
    if (reason !== 'due' || isExpired(stored, this.#ports.clock.now())) return this.#endSignIn(error);
    const { refreshToken: _, ...rest } = stored;
    this.#adopt(rest);
    await this.#write(rest);
    return rest.accessToken;
  }

  /** Uses the new token even if it cannot be stored, because the old refresh token may be spent. */
  async #write(record: SignInRecord): Promise<void> {
    try {
      await this.#ports.secrets.set(this.#name, printRecord(record));
    } catch (error) {
      this.#fail(toProblem(error));
    }
  }

  async #read(): Promise<SignInRecord | undefined> {
    const text = await this.#ports.secrets.get(this.#name);
    const record = text === undefined ? undefined : parseRecord(text);
    return record?.url === this.#server.url ? record : undefined;
  }

  async #previous(): Promise<PreviousSignIn | undefined> {
    const record = await this.#current();
    if (record !== undefined) return previousOf(record);
    const text = await this.#ports.secrets.get(this.#name).catch(() => undefined);
    const remains = text === undefined ? undefined : parseRemains(text);
    return remains?.url === this.#server.url ? remains : undefined;
  }

  #adopt(record: SignInRecord | undefined): string | undefined {
    this.#state = record === undefined ? { kind: 'out' } : { kind: 'in', record };
    if (record?.refusesResource === true) this.#hints = { ...this.#hints, refusesResource: true };
    this.#ports.onChanged(false);
    return record?.accessToken;
  }

  /** Keeps the connection: the server shows, by the requests it refuses, whether a sign-in is needed. */
  async #endSignIn(reason: unknown): Promise<undefined> {
    this.#ended = reason;
    const previous = await this.#previous();
    await this.#forget();
    if (previous !== undefined && previous.clientId === this.#server.options?.clientId)
      await this.#ports.secrets.set(this.#name, printRemains(previous));
    this.#hasEnded = true;
    this.#ports.onChanged(false);
  }

  async #forget(): Promise<void> {
    await this.#ports.secrets.delete(this.#name);
    this.#state = { kind: 'out' };
    this.#hasEnded = false;
  }

  async #complete(record: SignInRecord): Promise<void> {
    const { secrets, onChanged: changed } = this.#ports;
    await secrets.exclusive(this.#name, () => secrets.set(this.#name, printRecord(record)));
    this.#state = { kind: 'in', record };
    this.#updateHints();
    this.#endAttempt();
    this.#hasAskedForAll = this.#challenge?.status === 403 && this.#challenge.scope === undefined;
    this.#narrowScopes.clear();
    this.#challenge = undefined;
    this.#offeredHelp = undefined;
    this.#problem = undefined;
    this.#ended = undefined;
    this.#hasEnded = false;
    changed(true);
  }

  #fail(problem: Problem): void {
    this.#attempt = undefined;
    this.#problem = problem;
    this.#ports.onChanged(false);
  }

  #updateHints(): void {
    this.#hints = this.#attempt?.hints ?? this.#hints;
  }

  #endAttempt(): void {
    this.#attempt?.cancel();
    this.#attempt = undefined;
  }

  #refreshError(error: unknown): ConnectionClosedError {
    const url = publicUrl(serverUrl(this.#server.url));
    const sentence = 'Patchbay cannot renew your sign-in to this server right now.';
    const fix = 'Check your internet connection. Patchbay retries automatically.';
    const evidence = { url, ...failureFacts(error) };
    const cause = new ProblemError(problem('server.unreachable', sentence, fix, evidence), { cause: error });
    return new ConnectionClosedError(sentence, false, { cause });
  }
}
