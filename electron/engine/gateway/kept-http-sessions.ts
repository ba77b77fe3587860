import { z } from 'zod';
import { nameStyles } from '../../../shared/model/client.ts';
import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { type Clock, delay } from '../base/clock.ts';
import { digestOfText } from '../base/digest.ts';
import { logLevels, type McpLogLevel } from '../route/backchannel-contract.ts';
import type { EndpointTarget } from './http-guard.ts';
import type { HttpSessionOptions } from './http-sessions.ts';
import type { RecordedSession, SessionRecorder } from './session-contract.ts';

/** Stores sessions across restarts; errors do not affect sessions. */
export interface HttpSessionStorage {
  load(since: number): Promise<readonly StoredRow[]>;
  save(idHash: string, read: () => StoredRow | undefined): void;
  /** Resolves when all pending writes have completed or failed. */
  flush(): Promise<unknown>;
}

interface StoredRow {
  readonly idHash: string;
  /** Identity or token hash that may resume the session. */
  readonly holder: string;
  readonly data: string;
  readonly seenAt: number;
}

const dataSchema = z.object({
  only: z.string().optional(),
  profile: z.string().optional(),
  askedStyle: z.enum(nameStyles).optional(),
  compact: z.boolean().optional(),
  params: z.unknown(),
  level: z.enum(logLevels).optional(),
  subscriptions: z.array(z.string()),
  lists: z.partialRecord(z.enum(listMethods), z.string()),
});

/** A session of this hub or of an earlier one. */
interface StoredSession extends SessionState {
  readonly holder: string;
  seenAt: number;
}

interface SessionState {
  readonly options: HttpSessionOptions;
  /** Params of the client's `initialize`; absent before it. */
  params?: unknown;
  level?: McpLogLevel | undefined;
  readonly subscriptions: Set<string>;
  /** Digests of the client's lists, by method. */
  readonly lists: Map<ListMethod, string>;
}

export interface StoredHttpSessionsOptions {
  readonly store: HttpSessionStorage;
  /** The endpoint's own token; sessions end with it. */
  readonly token: string;
  readonly clock: Clock;
  readonly maxSessions: number;
  /** Milliseconds without activity after which a session is not resumed. */
  readonly maxAgeMs: number;
}

/**
 * Stores what is needed to resume sessions after a restart: the `initialize` params, the endpoint and the
 * identity, log level, subscriptions, and digests of the client's lists. Everything except the digests is
 * written before the client gets its response, unless that takes too long; the digests follow a moment later.
 */
export class StoredHttpSessions {
  readonly #options: StoredHttpSessionsOptions;
  readonly #stored = new Map<string, StoredSession>();
  readonly #tokenHolder: string;
  readonly #loaded: Promise<void>;
  /** True once the database has answered, because creating it takes longer than using it. */
  #isWarm = false;

  constructor(options: StoredHttpSessionsOptions) {
    this.#options = options;
    this.#tokenHolder = `token ${digestOfText(options.token)}`;
    this.#loaded = this.#load();
  }

  /**
   * Returns undefined if the session was never created in this data directory, has ended, or belongs to
   * another identity or endpoint.
   */
  async find(
    sessionId: string,
    place: EndpointTarget,
  ): Promise<{ readonly wish: HttpSessionOptions; readonly past: RecordedSession } | undefined> {
    await this.#loaded;
    const kept = this.#stored.get(digestOfText(sessionId));
    if (kept === undefined || !this.#belongsTo(kept, place)) return undefined;
    const { options: wish, params, level, subscriptions, lists } = kept;
    if (params === undefined) return undefined;
    return { wish, past: { params, level, subscriptions: [...subscriptions], lists: [...lists] } };
  }

  /** Returns the recorder of a new or resumed session; earlier records are continued. */
  recorderOf(sessionId: string, options: HttpSessionOptions): SessionRecorder {
    const idHash = digestOfText(sessionId);
    const known = this.#stored.get(idHash);
    const kept = known ?? { options, holder: this.#holderOf(options), seenAt: 0, ...emptyState() };
    const changed = () => {
      kept.seenAt = this.#options.clock.now();
      // Moved to the end so that the least recently active session is first.
      this.#stored.delete(idHash);
      this.#stored.set(idHash, kept);
      this.#forgetOldest();
      this.#save(idHash);
    };
    return {
      recordInitialize: async (params) => {
        kept.params = params;
        changed();
        await this.#flushed();
      },
      recordLevel: async (level) => {
        kept.level = level;
        changed();
        await this.#flushed();
      },
      recordSubscription: async (uri, isOn) => {
        if (!isOn) kept.subscriptions.delete(uri);
        else if (kept.subscriptions.size < maxSubscriptions) kept.subscriptions.add(uri);
        changed();
        await this.#flushed();
      },
      recordList: (method, digest) => {
        // Delayed because the response need not wait for the digest, and most lists are unchanged.
        this.#options.clock.after(listDelayMs, () => {
          const digestNow = digest();
          if (kept.lists.get(method) === digestNow) return;
          kept.lists.set(method, digestNow);
          changed();
        });
      },
      recordActivity: () => {
        if (this.#stored.get(idHash) === kept) changed();
      },
    };
  }

  /** Forgets a session that has ended for good; resolves when that is written, or after a timeout. */
  async forget(sessionId: string): Promise<void> {
    const idHash = digestOfText(sessionId);
    if (!this.#stored.delete(idHash)) return;
    this.#save(idHash);
    await this.#flushed();
  }

  async #flushed(): Promise<void> {
    const { store: memory, clock } = this.#options;
    const timeout = new AbortController();
    const written = memory.flush().then(() => {
      this.#isWarm = true;
    });
    const timeoutMs = this.#isWarm ? writeTimeoutMs : firstWriteTimeoutMs;
    await Promise.race([written, delay(clock, timeoutMs, timeout.signal)]);
    timeout.abort();
  }

  async #load(): Promise<void> {
    const { store: memory, clock, maxAgeMs: age, maxSessions: sessions } = this.#options;
    const timeout = new AbortController();
    const loaded = memory.load(clock.now() - age).catch(() => []);
    const rows = await Promise.race([loaded, delay(clock, loadTimeoutMs, timeout.signal).then(() => [])]);
    timeout.abort();
    this.#isWarm ||= rows.length > 0;
    for (const row of rows.slice(0, sessions).toReversed()) {
      const kept = readRow(row);
      if (kept !== undefined && !this.#stored.has(row.idHash)) this.#stored.set(row.idHash, kept);
    }
  }

  #save(idHash: string): void {
    this.#options.store.save(idHash, () => {
      const kept = this.#stored.get(idHash);
      return kept?.params === undefined ? undefined : writeRow(idHash, kept);
    });
  }

  #forgetOldest(): void {
    for (const idHash of this.#stored.keys()) {
      if (this.#stored.size <= this.#options.maxSessions) return;
      this.#stored.delete(idHash);
      this.#save(idHash);
    }
  }

  #belongsTo({ holder, options: wish, seenAt }: StoredSession, place: EndpointTarget): boolean {
    if (seenAt < this.#options.clock.now() - this.#options.maxAgeMs) return false;
    return holder === this.#holderOf(place) && wish.only === place.only && wish.profile === place.profile;
  }

  #holderOf({ identityId }: EndpointTarget): string {
    return identityId === undefined ? this.#tokenHolder : `identity ${identityId}`;
  }
}

const maxSubscriptions = 200;
/** Maximum characters per session, because clients may send any amount of data about themselves. */
const maxDataLength = 64 * 1024;
const loadTimeoutMs = 5_000;
const listDelayMs = 20;
/**
 * In milliseconds. A hanging database must not block clients; if the hub is then killed, the client gets a
 * 404.
 */
const writeTimeoutMs = 2_000;
/** Shorter, because nobody should wait for the database to be created. */
const firstWriteTimeoutMs = 50;

const emptyState = () => ({ subscriptions: new Set<string>(), lists: new Map<ListMethod, string>() });

function writeRow(idHash: string, kept: StoredSession): StoredRow | undefined {
  const { options: wish, holder, seenAt, params, level, subscriptions, lists } = kept;
  const { only, profile, askedStyle, compact } = wish;
  const notes = { params, level, subscriptions: [...subscriptions], lists: Object.fromEntries(lists) };
  const data = JSON.stringify({ only, profile, askedStyle, compact, ...notes });
  return data.length > maxDataLength ? undefined : { idHash, holder, data, seenAt };
}

function readRow({ holder, data, seenAt }: StoredRow): StoredSession | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const parsed = dataSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { params, level, subscriptions, lists, only, profile, askedStyle, compact } = parsed.data;
  const identity = /^identity (.*)$/s.exec(holder)?.[1];
  return {
    holder,
    seenAt,
    params,
    level,
    subscriptions: new Set(subscriptions),
    lists: new Map(listMethods.flatMap((method) => entryOf(method, lists[method]))),
    options: {
      ...(only === undefined ? {} : { only }),
      ...(profile === undefined ? {} : { profile }),
      ...(askedStyle === undefined ? {} : { askedStyle }),
      ...(compact === undefined ? {} : { compact }),
      ...(identity === undefined ? {} : { identityId: identity }),
    },
  };
}

function entryOf(method: ListMethod, digest: string | undefined): readonly (readonly [ListMethod, string])[] {
  return digest === undefined ? [] : [[method, digest]];
}
