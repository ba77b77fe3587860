import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import { type Clock, delay } from '../../base/clock.ts';
import { SerialQueue } from '../../base/queue.ts';
import { ConnectionClosedError } from '../../rpc/message.ts';
import type { Fetch } from '../http-connections.ts';
import { type AccessRefusal, accessProblem, publicUrl, serverUrl } from '../http-problem.ts';
import { type Attempt, beginAttempt, type Lesson } from './attempt.ts';
import { needsClientId } from './client.ts';
import type {
  AuthChallenge,
  OAuthSecrets,
  OAuthServer,
  RemoteAuthorization,
  SignInView,
} from './contract.ts';
import { discover } from './discover.ts';
import {
  isDue,
  isExpired,
  parseRecord,
  printRecord,
  recordName,
  refreshedRecord,
  type SignInRecord,
} from './record.ts';
import { judgeRefresh } from './service-refusal.ts';
import { clientIdNeeded, failureFacts, signInNeeded } from './sign-in-problem.ts';
import { refresh, revoke } from './token-endpoint.ts';

export interface SignInPorts {
  readonly secrets: OAuthSecrets;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** The view changed; `credentials` as in `OAuth.onChange`. */
  readonly changed: (credentials: boolean) => void;
}

type State =
  /** Not read from the store yet. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly record: SignInRecord };

/** Reason why a token is not used as it is. */
type Reason = 'due' | 'refused' | 'too-narrow';

/** One odd response to a refresh may be a network fault; two in a row are not. */
const mostDoubts = 2;
/** In milliseconds. */
const discoveryMs = 10_000;
const firstRest = 5000;
const longestRest = 30_000;

/** Manages the sign-in to one server: its tokens, and the attempt to get them. */
export class ServerSignIn implements Pick<RemoteAuthorization, 'token' | 'renew' | 'wanted'> {
  readonly #server: OAuthServer;
  readonly #name: string;
  readonly #ports: SignInPorts;
  readonly #attempts = new SerialQueue();
  #state: State = { kind: 'unread' };
  #attempt: Attempt | undefined;
  /** Start of the attempt, and whether no browser could be opened. */
  #wait: { readonly since: number; readonly unopened?: true } = { since: 0 };
  #lesson: Lesson = { refusesResource: false };
  /** Shared by all requests that wait for it. */
  #renewal: Promise<string | undefined> | undefined;
  /** The last refusal that a sign-in could resolve. */
  #asked: AuthChallenge | undefined;
  /** The server asks for a key, not a sign-in. */
  #wantsKey = false;
  #problem: Problem | undefined;
  /** Help for refused requests while the server answers others. */
  #offered: Problem | undefined;
  /** Error that ended the last sign-in. */
  #ended: unknown;
  /** The last sign-in ended, but not because the user signed out. */
  #isLost = false;
  /** Consecutive refresh responses that were neither tokens nor a plain refusal. */
  #doubts = 0;
  /**
   * Earliest time of the next refresh while the current token is valid; the delay grows with each failure.
   */
  #rest = { until: 0, pause: firstRest };

  constructor(server: OAuthServer, ports: SignInPorts) {
    this.#server = server;
    this.#name = recordName(server);
    this.#ports = ports;
  }

  /** Error that ended the last sign-in, for the problem that asks for a new one. */
  get ended(): unknown {
    return this.#ended;
  }

  view(): SignInView | undefined {
    const signedIn = this.#state.kind === 'in';
    const pending = this.#attempt !== undefined;
    const problem = this.#problem ?? this.#offered ?? this.#wish();
    const isAsked = this.#asked !== undefined && !this.#wantsKey;
    if (!signedIn && !pending && problem === undefined && !isAsked) return undefined;
    return {
      signedIn,
      pending,
      ...(pending ? this.#wait : {}),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /** Suggests a wider sign-in: the server works, but refuses some calls. */
  #wish(): Problem | undefined {
    const asked = this.#asked;
    if (this.#state.kind !== 'in' || asked?.status !== 403) return undefined;
    return signInNeeded(serverUrl(this.#server.url), asked, true);
  }

  async token(): Promise<string | undefined> {
    const record = await this.#current();
    const now = this.#ports.clock.now();
    // A token that cannot be refreshed is used until the server refuses it, even past its expiry.
    if (record?.refreshToken === undefined || !isDue(record, now)) return record?.accessToken;
    if (now < this.#rest.until && !isExpired(record, now)) return record.accessToken;
    return this.#renewed(record.accessToken, 'due');
  }

  async renew(refused: string | undefined, challenge: AuthChallenge): Promise<string | undefined> {
    this.#asked = challenge;
    this.#ports.changed(false);
    if (refused === undefined) return undefined;
    return this.#renewed(refused, challenge.status === 403 ? 'too-narrow' : 'refused');
  }

  async wanted(challenge: AuthChallenge, refusal: AccessRefusal, isAlone = false): Promise<Problem> {
    const found = await this.#judged(challenge, refusal);
    this.#offered = isAlone ? found : undefined;
    this.#ports.changed(false);
    return found;
  }

  async #judged(challenge: AuthChallenge, refusal: AccessRefusal): Promise<Problem> {
    const url = serverUrl(this.#server.url);
    // The user was signed in to this server before.
    if (this.#isLost) return signInNeeded(url, challenge, true, this.#ended, refusal);
    const way = await this.#wayIn(challenge);
    this.#wantsKey = way === 'key';
    this.#asked = challenge;
    const { words = challenge.said } = refusal;
    if (way === 'key') return accessProblem(url, { ...refusal, words });
    if (way === 'client-id' && this.#ended === undefined) return clientIdNeeded({ 'the server said': words });
    return signInNeeded(url, challenge, false, this.#ended, refusal);
  }

  /** Finds out what would give the user access, if the server says so in time. */
  async #wayIn({ resourceMetadataUrl }: AuthChallenge): Promise<'key' | 'client-id' | 'sign-in'> {
    const { fetch, clock } = this.#ports;
    const asking = discover({
      url: serverUrl(this.#server.url),
      fetch,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    }).catch(() => undefined);
    const discovered = await Promise.race([asking, delay(clock, discoveryMs).then(() => undefined)]);
    if (discovered === undefined) return 'sign-in';
    const isDescribed = discovered.metadata !== undefined || discovered.resource !== undefined;
    if (!isDescribed && resourceMetadataUrl === undefined) return 'key';
    return needsClientId(discovered, this.#server.options) ? 'client-id' : 'sign-in';
  }

  signIn(): Promise<{ readonly url: string }> {
    return this.#attempts.run(async () => {
      this.#learn();
      this.#endAttempt();
      const record = await this.#current();
      const { fetch, clock } = this.#ports;
      const beginning = beginAttempt({
        server: this.#server,
        fetch,
        clock,
        complete: (fresh) => this.#complete(fresh),
        failed: (problem) => {
          this.#learn();
          this.#settle(problem);
        },
        lesson: this.#lesson,
        ...(this.#asked === undefined ? {} : { challenge: this.#asked }),
        ...(record?.scope === undefined ? {} : { granted: record.scope }),
      });
      const attempt = await beginning.catch((error: unknown) => {
        // A server that asks for a key is not affected by the failed attempt.
        if (!this.#wantsKey) this.#settle(toProblem(error));
        throw error;
      });
      this.#attempt = attempt;
      this.#wait = { since: clock.now() };
      this.#problem = undefined;
      this.#ports.changed(false);
      return { url: attempt.url };
    });
  }

  link(): string | undefined {
    const url = this.#attempt?.url;
    return url === '' ? undefined : url;
  }

  unopened(): void {
    if (this.#attempt === undefined) return;
    this.#wait = { ...this.#wait, unopened: true };
    this.#ports.changed(false);
  }

  async signOut(): Promise<void> {
    this.#endAttempt();
    const { secrets, fetch } = this.#ports;
    const record = await secrets.exclusive(this.#name, async () => {
      const stored = await this.#read();
      const wasIn = this.#state.kind === 'in';
      await this.#forget();
      this.#ports.changed(wasIn);
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
        this.#settle(toProblem(error));
      }
    }
    return this.#state.kind === 'in' ? this.#state.record : undefined;
  }

  #renewed(stale: string, reason: Reason): Promise<string | undefined> {
    this.#renewal ??= this.#renewAlone(stale, reason).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewAlone(stale: string, reason: Reason): Promise<string | undefined> {
    try {
      return await this.#ports.secrets.exclusive(this.#name, () => this.#replace(stale, reason));
    } catch (error) {
      const record = this.#state.kind === 'in' ? this.#state.record : undefined;
      const now = this.#ports.clock.now();
      if (record !== undefined && reason === 'due' && !isExpired(record, now)) {
        const { pause } = this.#rest;
        this.#rest = { until: now + pause, pause: Math.min(pause * 2, longestRest) };
        return record.accessToken;
      }
      throw this.#unrefreshed(error);
    }
  }

  /**
   * Runs exclusively among all processes: a token that another process got in the meantime is used instead of
   * spending the refresh token again.
   */
  async #replace(stale: string, reason: Reason): Promise<string | undefined> {
    const { clock, fetch } = this.#ports;
    const stored = await this.#read();
    if (stored === undefined) return this.#adopt(undefined);
    if (stored.accessToken !== stale && !isDue(stored, clock.now())) return this.#adopt(stored);
    if (reason === 'too-narrow') return undefined;
    const { refreshToken } = stored;
    if (refreshToken === undefined) return reason === 'due' ? this.#adopt(stored) : this.#lose();
    try {
      const redeemed = await refresh({ ...stored, refreshToken }, this.#server.options ?? {}, fetch);
      this.#doubts = 0;
      this.#rest = { until: 0, pause: firstRest };
      const fresh = refreshedRecord(stored, redeemed, clock.now());
      this.#adopt(fresh);
      await this.#write(fresh);
      return fresh.accessToken;
    } catch (error) {
      return this.#unrenewed(stored, reason, error);
    }
  }

  /**
   * Ends the sign-in if only the user can start another; a token that is still valid is used until it
   * expires.
   */
  async #unrenewed(stored: SignInRecord, reason: Reason, error: unknown): Promise<string | undefined> {
    const judged = judgeRefresh(error);
    this.#doubts = judged === 'doubtful' ? this.#doubts + 1 : 0;
    if (judged === 'passing' || (judged === 'doubtful' && this.#doubts < mostDoubts)) throw error;
    this.#doubts = 0;
    this.#ended = error;
    if (reason !== 'due' || isExpired(stored, this.#ports.clock.now())) return this.#lose();
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
      this.#settle(toProblem(error));
    }
  }

  async #read(): Promise<SignInRecord | undefined> {
    const text = await this.#ports.secrets.get(this.#name);
    const record = text === undefined ? undefined : parseRecord(text);
    return record?.url === this.#server.url ? record : undefined;
  }

  #adopt(record: SignInRecord | undefined): string | undefined {
    this.#state = record === undefined ? { kind: 'out' } : { kind: 'in', record };
    if (record?.refusesResource === true) this.#lesson = { ...this.#lesson, refusesResource: true };
    this.#ports.changed(false);
    return record?.accessToken;
  }

  /** Keeps the connection: the server shows, by the requests it refuses, whether a sign-in is needed. */
  async #lose(): Promise<undefined> {
    await this.#forget();
    this.#isLost = true;
    this.#ports.changed(false);
  }

  async #forget(): Promise<void> {
    await this.#ports.secrets.delete(this.#name);
    this.#state = { kind: 'out' };
    this.#isLost = false;
  }

  async #complete(record: SignInRecord): Promise<void> {
    const { secrets, changed } = this.#ports;
    await secrets.exclusive(this.#name, () => secrets.set(this.#name, printRecord(record)));
    this.#state = { kind: 'in', record };
    this.#learn();
    this.#endAttempt();
    this.#asked = undefined;
    this.#offered = undefined;
    this.#problem = undefined;
    this.#ended = undefined;
    this.#isLost = false;
    changed(true);
  }

  #settle(problem: Problem): void {
    this.#attempt = undefined;
    this.#problem = problem;
    this.#ports.changed(false);
  }

  #learn(): void {
    this.#lesson = this.#attempt?.lesson ?? this.#lesson;
  }

  #endAttempt(): void {
    this.#attempt?.cancel();
    this.#attempt = undefined;
  }

  #unrefreshed(error: unknown): ConnectionClosedError {
    const url = publicUrl(serverUrl(this.#server.url));
    const sentence = 'The sign-in to this server cannot be refreshed right now.';
    const fix = 'Check the network. Patchbay retries automatically.';
    const evidence = { url, ...failureFacts(error) };
    const cause = new ProblemError(problem('server.unreachable', sentence, fix, evidence), { cause: error });
    return new ConnectionClosedError(sentence, false, { cause });
  }
}
