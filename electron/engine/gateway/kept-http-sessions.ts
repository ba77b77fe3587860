import { z } from 'zod';
import { nameStyles } from '../../../shared/model/client.ts';
import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { type Clock, delay } from '../base/clock.ts';
import { digestOfText } from '../base/digest.ts';
import { logLevels, type McpLogLevel } from '../route/backchannel-contract.ts';
import type { Place } from './http-guard.ts';
import type { HttpSessionWish } from './http-sessions.ts';
import type { SessionNotes, SessionPast } from './session-contract.ts';

/** Stores sessions across restarts; errors do not affect sessions. */
export interface HttpSessionMemory {
  load(since: number): Promise<readonly KeptRow[]>;
  save(idHash: string, read: () => KeptRow | undefined): void;
  /** Resolves when all pending writes have completed or failed. */
  flush(): Promise<unknown>;
}

interface KeptRow {
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
interface Kept extends Notes {
  readonly holder: string;
  seenAt: number;
}

interface Notes {
  readonly wish: HttpSessionWish;
  /** Params of the client's `initialize`; absent before it. */
  params?: unknown;
  level?: McpLogLevel | undefined;
  readonly subscriptions: Set<string>;
  /** Digests of the client's lists, by method. */
  readonly lists: Map<ListMethod, string>;
}

export interface KeptHttpSessionsOptions {
  readonly memory: HttpSessionMemory;
  /** The endpoint's own token; sessions end with it. */
  readonly token: string;
  readonly clock: Clock;
  readonly sessions: number;
  /** Milliseconds without activity after which a session is not resumed. */
  readonly age: number;
}

/**
 * Stores what is needed to resume sessions after a restart: the `initialize` params, the endpoint and the
 * identity, log level, subscriptions, and digests of the client's lists. Everything except the digests is
 * written before the client gets its response, unless that takes too long; the digests follow a moment later.
 */
export class KeptHttpSessions {
  readonly #options: KeptHttpSessionsOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #tokenHolder: string;
  readonly #loaded: Promise<void>;
  /** True once the database has answered, because creating it takes longer than using it. */
  #isWarm = false;

  constructor(options: KeptHttpSessionsOptions) {
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
    place: Place,
  ): Promise<{ readonly wish: HttpSessionWish; readonly past: SessionPast } | undefined> {
    await this.#loaded;
    const kept = this.#kept.get(digestOfText(sessionId));
    if (kept === undefined || !this.#isOf(kept, place)) return undefined;
    const { wish, params, level, subscriptions, lists } = kept;
    if (params === undefined) return undefined;
    return { wish, past: { params, level, subscriptions: [...subscriptions], lists: [...lists] } };
  }

  /** Returns the recorder of a new or resumed session; earlier records are continued. */
  notesOf(sessionId: string, wish: HttpSessionWish): SessionNotes {
    const idHash = digestOfText(sessionId);
    const known = this.#kept.get(idHash);
    const kept = known ?? { wish, holder: this.#holderOf(wish), seenAt: 0, ...noNotes() };
    const changed = () => {
      kept.seenAt = this.#options.clock.now();
      // Moved to the end so that the least recently active session is first.
      this.#kept.delete(idHash);
      this.#kept.set(idHash, kept);
      this.#forgetOldest();
      this.#save(idHash);
    };
    return {
      greeted: async (params) => {
        kept.params = params;
        changed();
        await this.#written();
      },
      level: async (level) => {
        kept.level = level;
        changed();
        await this.#written();
      },
      subscribed: async (uri, isOn) => {
        if (!isOn) kept.subscriptions.delete(uri);
        else if (kept.subscriptions.size < mostSubscriptions) kept.subscriptions.add(uri);
        changed();
        await this.#written();
      },
      listed: (method, digest) => {
        // Delayed because the response need not wait for the digest, and most lists are unchanged.
        this.#options.clock.after(listDelay, () => {
          const told = digest();
          if (kept.lists.get(method) === told) return;
          kept.lists.set(method, told);
          changed();
        });
      },
      seen: () => {
        if (this.#kept.get(idHash) === kept) changed();
      },
    };
  }

  /** Forgets a session that has ended for good; resolves when that is written, or after a timeout. */
  async forget(sessionId: string): Promise<void> {
    const idHash = digestOfText(sessionId);
    if (!this.#kept.delete(idHash)) return;
    this.#save(idHash);
    await this.#written();
  }

  async #written(): Promise<void> {
    const { memory, clock } = this.#options;
    const patience = new AbortController();
    const written = memory.flush().then(() => {
      this.#isWarm = true;
    });
    const longest = this.#isWarm ? writePatience : firstPatience;
    await Promise.race([written, delay(clock, longest, patience.signal)]);
    patience.abort();
  }

  async #load(): Promise<void> {
    const { memory, clock, age, sessions } = this.#options;
    const patience = new AbortController();
    const loaded = memory.load(clock.now() - age).catch(() => []);
    const rows = await Promise.race([loaded, delay(clock, loadPatience, patience.signal).then(() => [])]);
    patience.abort();
    this.#isWarm ||= rows.length > 0;
    for (const row of rows.slice(0, sessions).toReversed()) {
      const kept = readRow(row);
      if (kept !== undefined && !this.#kept.has(row.idHash)) this.#kept.set(row.idHash, kept);
    }
  }

  #save(idHash: string): void {
    this.#options.memory.save(idHash, () => {
      const kept = this.#kept.get(idHash);
      return kept?.params === undefined ? undefined : writeRow(idHash, kept);
    });
  }

  #forgetOldest(): void {
    for (const idHash of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.sessions) return;
      this.#kept.delete(idHash);
      this.#save(idHash);
    }
  }

  #isOf({ holder, wish, seenAt }: Kept, place: Place): boolean {
    if (seenAt < this.#options.clock.now() - this.#options.age) return false;
    return holder === this.#holderOf(place) && wish.only === place.only && wish.profile === place.profile;
  }

  #holderOf({ identityId }: Place): string {
    return identityId === undefined ? this.#tokenHolder : `identity ${identityId}`;
  }
}

const mostSubscriptions = 200;
/** Maximum characters per session, because clients may send any amount of data about themselves. */
const longestData = 64 * 1024;
const loadPatience = 5_000;
const listDelay = 20;
/**
 * In milliseconds. A hanging database must not block clients; if the hub is then killed, the client gets a
 * 404.
 */
const writePatience = 2_000;
/** Shorter, because nobody should wait for the database to be created. */
const firstPatience = 50;

const noNotes = () => ({ subscriptions: new Set<string>(), lists: new Map<ListMethod, string>() });

function writeRow(idHash: string, kept: Kept): KeptRow | undefined {
  const { wish, holder, seenAt, params, level, subscriptions, lists } = kept;
  const { only, profile, askedStyle, compact } = wish;
  const notes = { params, level, subscriptions: [...subscriptions], lists: Object.fromEntries(lists) };
  const data = JSON.stringify({ only, profile, askedStyle, compact, ...notes });
  return data.length > longestData ? undefined : { idHash, holder, data, seenAt };
}

function readRow({ holder, data, seenAt }: KeptRow): Kept | undefined {
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
    wish: {
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
