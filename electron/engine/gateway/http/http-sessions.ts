import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, delay, systemClock } from '../../base/clock.ts';
import { digestOfText } from '../../base/digest.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { PostedMessages } from '../../transport/http-server/http-server-body.ts';
import {
  createHttpServerTransport,
  type HttpServerTransport,
} from '../../transport/http-server/http-server-transport.ts';
import type { Session, SessionRecorder } from '../session/session-contract.ts';
import { sessionClosed } from '../session/session-errors.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { EndpointTarget, HttpSessionOptions } from './http-guard.ts';
import {
  type HttpSessionRecord,
  type HttpSessionStorage,
  newRecord,
  readRow,
  writeRow,
} from './http-session-record.ts';

export interface HttpSessionLimits {
  readonly maxSessions: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly idleMs: number;
  /** Milliseconds without activity after which a session of an earlier hub cannot be resumed. */
  readonly maxAgeMs: number;
}

const defaultLimits: HttpSessionLimits = {
  maxSessions: 256,
  idleMs: 30 * 60_000,
  maxAgeMs: 24 * 60 * 60_000,
};

export interface HttpSessionsOptions {
  readonly sessions: Pick<SessionRegistry, 'open'>;
  /** The endpoint's own token; stored sessions end with it. */
  readonly token: string;
  /** Stores sessions for the next hub; without it they end with this one. */
  readonly store?: HttpSessionStorage | undefined;
  readonly clock: Clock;
  readonly limits?: HttpSessionLimits | undefined;
}

interface LiveSession {
  readonly transport: HttpServerTransport;
  readonly target: EndpointTarget;
  readonly session: Session;
  readonly record: HttpSessionRecord | undefined;
  /** Called when a response has ended; one function for all responses. */
  readonly onResponseEnded: () => void;
  /** Number of open responses, including streams. */
  openResponses: number;
  lastActiveAt: number;
}

/**
 * HTTP sessions by session id: those of this hub, and the records of sessions that this or a later hub can
 * resume. Clients often leave without notice, so idle sessions are closed.
 *
 * A record is written before the client gets its response, unless that takes too long; digests of its lists
 * follow a moment later.
 */
export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  readonly #limits: HttpSessionLimits;
  readonly #live = new Map<string, LiveSession>();
  /** By session id, because several requests of one client may arrive at once. */
  readonly #resuming = new Map<string, Promise<string | undefined>>();
  /** By digest of the session id; the least recently active first. */
  readonly #records = new Map<string, HttpSessionRecord>();
  readonly #loaded: Promise<void>;
  readonly #tokenHolder: string;
  /** True once the database has answered, because creating it takes longer than using it. */
  #isWarm = false;
  #isEnding = false;
  #sweep: Disposable | undefined;

  constructor(options: HttpSessionsOptions) {
    const { limits = defaultLimits, token, store } = options;
    this.#options = options;
    this.#limits = limits;
    this.#tokenHolder = `token ${digestOfText(token)}`;
    this.#loaded = store === undefined ? Promise.resolve() : this.#load(store);
  }

  /** Checks whether there is such a session, opened at this endpoint by the same identity. */
  has(sessionId: string, { only, profile, identityId }: EndpointTarget): boolean {
    const target = this.#live.get(sessionId)?.target;
    if (target === undefined || target.identityId !== identityId) return false;
    return target.only === only && target.profile === profile;
  }

  /** Returns undefined if there are too many sessions and all are in use. */
  open(options: HttpSessionOptions): Promise<string | undefined> {
    return this.#open(options);
  }

  /** Resumes a session of an earlier hub, if it was opened at this endpoint by the same identity. */
  async resume(sessionId: string, target: EndpointTarget): Promise<'taken' | 'unknown' | 'busy' | 'ending'> {
    await this.#loaded;
    const record = this.#records.get(digestOfText(sessionId));
    if (record?.params === undefined || !this.#belongsTo(record, target)) return 'unknown';
    if (this.#isEnding) return 'ending';
    if (this.#live.has(sessionId)) return 'taken';
    const resuming = this.#resuming.get(sessionId) ?? this.#open(record.options, sessionId, record);
    this.#resuming.set(sessionId, resuming);
    try {
      await resuming;
      return this.#live.has(sessionId) ? 'taken' : 'busy';
    } finally {
      this.#resuming.delete(sessionId);
    }
  }

  /** Serves one request of a session. */
  serve(
    sessionId: string,
    request: IncomingMessage,
    response: ServerResponse,
    posted?: PostedMessages,
  ): void {
    const live = this.#live.get(sessionId);
    if (live === undefined) return;
    live.openResponses += 1;
    live.lastActiveAt = this.#options.clock.now();
    this.#recordActivity(live);
    response.on('close', live.onResponseEnded);
    live.transport.handle(request, response, posted);
  }

  /** Ends a session for good. */
  async end(sessionId: string): Promise<void> {
    const live = this.#live.get(sessionId);
    if (live !== undefined) await this.#end(live);
  }

  /** Prepares for the end of the hub: records of sessions that close from now on stay. */
  prepareShutdown(): void {
    this.#isEnding = true;
  }

  dispose(): void {
    this.#sweep?.dispose();
  }

  async #open(
    options: HttpSessionOptions,
    resumedId?: string,
    recorded?: HttpSessionRecord,
  ): Promise<string | undefined> {
    const { clock, sessions } = this.#options;
    if (this.#live.size >= this.#limits.maxSessions && !(await this.#endLongestIdle())) return undefined;
    const endInOrder = async () => {
      await Promise.all([this.#forget(record), session.close(sessionClosed())]);
    };
    const transport = createHttpServerTransport(systemClock, endInOrder, resumedId);
    const { sessionId } = transport;
    const record = recorded ?? this.#recordFor(sessionId, options);
    const session: Session = await sessions.open({
      ...options,
      transport,
      via: 'http',
      recorder: record && this.#recorderOf(record),
      recorded: recorded && {
        params: recorded.params,
        level: recorded.level,
        subscriptions: [...recorded.subscriptions],
        lists: [...recorded.lists],
      },
    });
    const live: LiveSession = {
      transport,
      target: options,
      session,
      record,
      onResponseEnded: () => {
        live.openResponses -= 1;
        live.lastActiveAt = clock.now();
      },
      openResponses: 0,
      lastActiveAt: clock.now(),
    };
    this.#live.set(sessionId, live);
    session.onClosed(() => {
      this.#live.delete(sessionId);
      // A session that was cut must not come back; those that end with the hub may.
      if (!this.#isEnding) this.#forget(record).catch(ignore);
    });
    this.#sweep ??= clock.after(this.#limits.idleMs, () => this.#endIdle());
    return sessionId;
  }

  #idle(): readonly LiveSession[] {
    return [...this.#live.values()].filter(({ openResponses }) => openResponses === 0);
  }

  async #endLongestIdle(): Promise<boolean> {
    const [longestIdle] = this.#idle().toSorted((a, b) => a.lastActiveAt - b.lastActiveAt);
    if (longestIdle !== undefined) await this.#end(longestIdle);
    return longestIdle !== undefined;
  }

  async #end({ record, session }: LiveSession): Promise<void> {
    await Promise.all([this.#forget(record), session.close()]);
  }

  #endIdle(): void {
    const { clock } = this.#options;
    const { idleMs } = this.#limits;
    const since = clock.now() - idleMs;
    for (const live of this.#live.values()) if (live.openResponses > 0) this.#recordActivity(live);
    for (const live of this.#idle()) if (live.lastActiveAt <= since) this.#end(live).catch(ignore);
    this.#sweep = this.#live.size === 0 ? undefined : clock.after(idleMs / 10, () => this.#endIdle());
  }

  #recordFor(sessionId: string, options: HttpSessionOptions): HttpSessionRecord | undefined {
    if (this.#options.store === undefined) return undefined;
    return newRecord(digestOfText(sessionId), this.#holderOf(options), options);
  }

  /** Checks whether this client may resume the session at this endpoint. */
  #belongsTo({ holder, options, seenAt }: HttpSessionRecord, target: EndpointTarget): boolean {
    if (seenAt < this.#options.clock.now() - this.#limits.maxAgeMs) return false;
    if (holder !== this.#holderOf(target)) return false;
    return options.only === target.only && options.profile === target.profile;
  }

  #holderOf({ identityId }: EndpointTarget): string {
    return identityId === undefined ? this.#tokenHolder : `identity ${identityId}`;
  }

  #recorderOf(record: HttpSessionRecord): SessionRecorder {
    const write = () => {
      this.#changed(record);
      return this.#flushed();
    };
    return {
      recordInitialize: (params) => {
        record.params = params;
        return write();
      },
      recordLevel: (level) => {
        record.level = level;
        return write();
      },
      recordSubscription: (uri, isOn) => {
        if (!isOn) record.subscriptions.delete(uri);
        else if (record.subscriptions.size < maxSubscriptions) record.subscriptions.add(uri);
        return write();
      },
      recordList: (method, digest) => {
        // Delayed because the response need not wait for the digest, and most lists are unchanged.
        this.#options.clock.after(listDelayMs, () => {
          const current = digest();
          if (record.lists.get(method) === current) return;
          record.lists.set(method, current);
          this.#changed(record);
        });
      },
    };
  }

  /** Records activity; a client may have only an open stream for days. */
  #recordActivity({ record }: LiveSession): void {
    if (record === undefined || this.#options.clock.now() - record.seenAt < recordIntervalMs) return;
    if (this.#records.get(record.idHash) === record) this.#changed(record);
  }

  #changed(record: HttpSessionRecord): void {
    record.seenAt = this.#options.clock.now();
    this.#records.delete(record.idHash);
    this.#records.set(record.idHash, record);
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= this.#limits.maxSessions) break;
      this.#records.delete(oldest);
      this.#save(oldest);
    }
    this.#save(record.idHash);
  }

  /** Forgets a session that has ended for good; resolves when that is written, or after a timeout. */
  async #forget(record: HttpSessionRecord | undefined): Promise<void> {
    if (record === undefined || !this.#records.delete(record.idHash)) return;
    this.#save(record.idHash);
    await this.#flushed();
  }

  #save(idHash: string): void {
    this.#options.store?.save(idHash, () => {
      const record = this.#records.get(idHash);
      return record && writeRow(record);
    });
  }

  async #flushed(): Promise<void> {
    const written = this.#options.store?.flush().then(() => {
      this.#isWarm = true;
    });
    await this.#within(this.#isWarm ? writeTimeoutMs : firstWriteTimeoutMs, written, undefined);
  }

  async #load(store: HttpSessionStorage): Promise<void> {
    const loaded = store.load(this.#options.clock.now() - this.#limits.maxAgeMs).catch(() => []);
    const rows = await this.#within(loadTimeoutMs, loaded, []);
    this.#isWarm ||= rows.length > 0;
    for (const row of rows.slice(0, this.#limits.maxSessions).toReversed()) {
      const record = readRow(row);
      if (record !== undefined && !this.#records.has(row.idHash)) this.#records.set(row.idHash, record);
    }
  }

  /** A hanging database must not block clients; if the hub is then killed, the client gets a 404. */
  async #within<T>(timeoutMs: number, result: Promise<T> | undefined, fallback: T): Promise<T> {
    const timeout = new AbortController();
    const expired = delay(this.#options.clock, timeoutMs, timeout.signal).then(() => fallback);
    try {
      return await Promise.race([result ?? fallback, expired]);
    } finally {
      timeout.abort();
    }
  }
}

/** Minimum interval in milliseconds between two records of activity. */
const recordIntervalMs = 60_000;
const maxSubscriptions = 200;
const listDelayMs = 20;
const loadTimeoutMs = 5_000;
const writeTimeoutMs = 2_000;
/** Shorter, because nobody should wait for the database to be created. */
const firstWriteTimeoutMs = 50;

/** A session that fails to close is forgotten all the same. */
const ignore = () => {};
