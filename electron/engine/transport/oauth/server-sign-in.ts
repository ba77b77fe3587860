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
  /** Not yet looked up. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly record: SignInRecord };

/** Why a token is not used as it stands. */
type Reason = 'due' | 'refused' | 'too-narrow';

/** A refresh that is answered oddly may be a fault on the way, twice it is not. */
const mostDoubts = 2;
/** Milliseconds. */
const discoveryMs = 10_000;
const firstRest = 5000;
const longestRest = 30_000;

/** The sign-in to one server: its tokens, and the attempt to get some. */
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
  /** One for all requests that wait for it. */
  #renewal: Promise<string | undefined> | undefined;
  /** The last refusal that a sign-in would help. */
  #asked: AuthChallenge | undefined;
  /** A key is wanted rather than a sign-in. */
  #wantsKey = false;
  #problem: Problem | undefined;
  /** Help for requests that were refused while the server answers others. */
  #offered: Problem | undefined;
  /** Why the last sign-in is over. */
  #ended: unknown;
  /** The last sign-in is over, and not by the user's wish. */
  #isLost = false;
  /** Answers to a refresh in a row that were neither tokens nor a plain refusal. */
  #doubts = 0;
  /** No refresh before this, while the token that is there still holds; grows with each that fails. */
  #rest = { until: 0, pause: firstRest };

  constructor(server: OAuthServer, ports: SignInPorts) {
    this.#server = server;
    this.#name = recordName(server);
    this.#ports = ports;
  }

  /** Why the last sign-in is over, for the problem that asks for another. */
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

  /** The server works, and some of its calls would with a wider sign-in. */
  #wish(): Problem | undefined {
    const asked = this.#asked;
    if (this.#state.kind !== 'in' || asked?.status !== 403) return undefined;
    return signInNeeded(serverUrl(this.#server.url), asked, true);
  }

  async token(): Promise<string | undefined> {
    const record = await this.#current();
    const now = this.#ports.clock.now();
    // A token that cannot be renewed is used until the server refuses it, even past its expiry.
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
    // The server signed the user in before.
    if (this.#isLost) return signInNeeded(url, challenge, true, this.#ended, refusal);
    const way = await this.#wayIn(challenge);
    this.#wantsKey = way === 'key';
    this.#asked = challenge;
    const { words = challenge.said } = refusal;
    if (way === 'key') return accessProblem(url, { ...refusal, words });
    if (way === 'client-id' && this.#ended === undefined) return clientIdNeeded({ 'the server said': words });
    return signInNeeded(url, challenge, false, this.#ended, refusal);
  }

  /** Finds out what would get a user in, as far as the server tells in time. */
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
        // A server that wants a key has lost nothing by the try.
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
    // The user is out whatever the authorization server says to it.
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

  /** Alone among all processes: what another one has got meanwhile is taken instead of spending its token again. */
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

  /** The sign-in is given up where only the user can begin another; a token that still holds is used to its end. */
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

  /** The old refresh token may be spent, so the new one is used even if it cannot be kept. */
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

  /** A connection goes on: the server tells, by what it refuses, what it wants a sign-in for. */
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
    const sentence = 'The sign-in to this server cannot be refreshed now.';
    const fix = 'Check the network. Patchbay retries automatically.';
    const evidence = { url, ...failureFacts(error) };
    const cause = new ProblemError(problem('server.unreachable', sentence, fix, evidence), { cause: error });
    return new ConnectionClosedError(sentence, false, { cause });
  }
}
