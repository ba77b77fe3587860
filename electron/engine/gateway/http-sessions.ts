import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NameStyle } from '../../../shared/model/client.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { PostedMessages } from '../transport/http-server-body.ts';
import { createHttpServerTransport, type HttpServerTransport } from '../transport/http-server-transport.ts';
import type { Place } from './http-guard.ts';
import type { KeptHttpSessions } from './kept-http-sessions.ts';
import type { Session, SessionNotes, SessionPast } from './session-contract.ts';
import { clientEnds } from './session-errors.ts';
import type { SessionRegistry } from './session-registry.ts';

export interface HttpSessionLimits {
  readonly sessions: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly idle: number;
  /** Milliseconds without activity after which a session of an earlier hub cannot be resumed. */
  readonly age: number;
}

export const httpSessionLimits: HttpSessionLimits = {
  sessions: 256,
  idle: 30 * 60_000,
  age: 24 * 60 * 60_000,
};

/** The options in the URL that a client connects to. */
export interface HttpSessionWish extends Place {
  readonly askedStyle?: NameStyle;
  readonly compact?: boolean;
}

/** HTTP sessions by session id. Clients often leave without notice, so idle sessions are closed. */
export interface HttpSessions {
  /** Checks whether there is such a session, opened at this endpoint by the same identity. */
  has(sessionId: string, place: Place): boolean;
  /** Returns undefined if there are too many sessions and all are in use. */
  open(wish: HttpSessionWish): Promise<string | undefined>;
  /** Resumes a session of an earlier hub, if it was opened at this endpoint by the same identity. */
  takeUp(sessionId: string, place: Place): Promise<'taken' | 'unknown' | 'busy' | 'ending'>;
  /** Prepares for the end of the hub: sessions that close from now on stay stored. */
  leave(): void;
  /** Serves one request of a session. */
  serve(sessionId: string, request: IncomingMessage, response: ServerResponse, posted?: PostedMessages): void;
  /** Ends a session for good. */
  end(sessionId: string): Promise<void>;
  dispose(): void;
}

interface Entry {
  readonly transport: HttpServerTransport;
  readonly place: Place;
  readonly close: () => Promise<void>;
  /** Called when a response has ended; one function for all responses. */
  readonly answered: () => void;
  readonly notes: SessionNotes | undefined;
  notedAt: number;
  /** Number of open responses, including streams. */
  open: number;
  lastSeen: number;
}

/** Minimum interval in milliseconds between two records of activity. */
const noteInterval = 60_000;

/** A session that fails to close is forgotten all the same. */
const ignore = () => {};

export function createHttpSessions(
  sessions: Pick<SessionRegistry, 'open'>,
  clock: Clock,
  limits: HttpSessionLimits = httpSessionLimits,
  kept?: KeptHttpSessions,
): HttpSessions {
  const entries = new Map<string, Entry>();
  /** By session id, because several requests of one client may arrive at once. */
  const beingTaken = new Map<string, Promise<string | undefined>>();
  let sweep: Disposable | undefined;
  let isEnding = false;

  async function open(
    wish: HttpSessionWish,
    before?: { readonly sessionId: string; readonly past: SessionPast },
  ): Promise<string | undefined> {
    if (entries.size >= limits.sessions && !(await closeLongestIdle())) return undefined;
    const endInOrder = async () => {
      await Promise.all([kept?.forget(transport.sessionId), session.close(clientEnds())]);
    };
    const transport = createHttpServerTransport(systemClock, endInOrder, before?.sessionId);
    const notes = kept?.notesOf(transport.sessionId, wish);
    const session: Session = await sessions.open({
      transport,
      via: 'http',
      ...wish,
      ...(notes === undefined ? {} : { notes }),
      ...(before === undefined ? {} : { past: before.past }),
    });
    const entry: Entry = {
      transport,
      place: wish,
      close: () => session.close(),
      answered: () => {
        entry.open -= 1;
        entry.lastSeen = clock.now();
      },
      open: 0,
      lastSeen: clock.now(),
      notes,
      notedAt: clock.now(),
    };
    entries.set(transport.sessionId, entry);
    session.onClosed(() => {
      entries.delete(transport.sessionId);
      // Sessions stay stored only if the hub itself ends; a session that was cut must not come back.
      if (!isEnding) kept?.forget(transport.sessionId).catch(ignore);
    });
    sweep ??= clock.after(limits.idle, sweepIdle);
    return transport.sessionId;
  }

  async function closeLongestIdle(): Promise<boolean> {
    const [idlest] = idle().sort((a, b) => a.lastSeen - b.lastSeen);
    if (idlest !== undefined) await endForGood(idlest);
    return idlest !== undefined;
  }

  async function endForGood({ transport, close }: Entry): Promise<void> {
    await Promise.all([kept?.forget(transport.sessionId), close()]);
  }

  /** Records activity; a client may have only an open stream for days. */
  function noteSign(entry: Entry): void {
    if (clock.now() - entry.notedAt < noteInterval) return;
    entry.notedAt = clock.now();
    entry.notes?.seen();
  }

  const takeUp: HttpSessions['takeUp'] = async (sessionId, place) => {
    const found = await kept?.find(sessionId, place);
    if (found === undefined) return 'unknown';
    if (isEnding) return 'ending';
    if (entries.has(sessionId)) return 'taken';
    const taking = beingTaken.get(sessionId) ?? open(found.wish, { sessionId, past: found.past });
    beingTaken.set(sessionId, taking);
    try {
      await taking;
      return entries.has(sessionId) ? 'taken' : 'busy';
    } finally {
      beingTaken.delete(sessionId);
    }
  };

  function sweepIdle(): void {
    const before = clock.now() - limits.idle;
    for (const entry of entries.values()) if (entry.open > 0) noteSign(entry);
    for (const entry of idle()) if (entry.lastSeen <= before) endForGood(entry).catch(ignore);
    sweep = entries.size === 0 ? undefined : clock.after(limits.idle / 10, sweepIdle);
  }

  const idle = () => [...entries.values()].filter((entry) => entry.open === 0);

  return {
    has(sessionId, { only, profile, identityId }) {
      const place = entries.get(sessionId)?.place;
      if (place === undefined || place.identityId !== identityId) return false;
      return place.only === only && place.profile === profile;
    },
    open,
    takeUp,
    leave() {
      isEnding = true;
    },
    serve(sessionId, request, response, posted) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return;
      entry.open += 1;
      entry.lastSeen = clock.now();
      noteSign(entry);
      response.on('close', entry.answered);
      entry.transport.handle(request, response, posted);
    },
    async end(sessionId) {
      const entry = entries.get(sessionId);
      if (entry !== undefined) await endForGood(entry);
    },
    dispose: () => sweep?.dispose(),
  };
}
