import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NameStyle } from '../../../shared/model/client.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { PostedMessages } from '../transport/http-server-body.ts';
import { createHttpServerTransport, type HttpServerTransport } from '../transport/http-server-transport.ts';
import type { EndpointTarget } from './http-guard.ts';
import type { StoredHttpSessions } from './kept-http-sessions.ts';
import type { RecordedSession, Session, SessionRecorder } from './session-contract.ts';
import { sessionClosed } from './session-errors.ts';
import type { SessionRegistry } from './session-registry.ts';

export interface HttpSessionLimits {
  readonly maxSessions: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly idleMs: number;
  /** Milliseconds without activity after which a session of an earlier hub cannot be resumed. */
  readonly maxAgeMs: number;
}

export const httpSessionLimits: HttpSessionLimits = {
  maxSessions: 256,
  idleMs: 30 * 60_000,
  maxAgeMs: 24 * 60 * 60_000,
};

/** The options in the URL that a client connects to. */
export interface HttpSessionOptions extends EndpointTarget {
  readonly askedStyle?: NameStyle;
  readonly compact?: boolean;
}

/** HTTP sessions by session id. Clients often leave without notice, so idle sessions are closed. */
export interface HttpSessions {
  /** Checks whether there is such a session, opened at this endpoint by the same identity. */
  has(sessionId: string, target: EndpointTarget): boolean;
  /** Returns undefined if there are too many sessions and all are in use. */
  open(options: HttpSessionOptions): Promise<string | undefined>;
  /** Resumes a session of an earlier hub, if it was opened at this endpoint by the same identity. */
  resume(sessionId: string, target: EndpointTarget): Promise<'taken' | 'unknown' | 'busy' | 'ending'>;
  /** Prepares for the end of the hub: sessions that close from now on stay stored. */
  prepareShutdown(): void;
  /** Serves one request of a session. */
  serve(sessionId: string, request: IncomingMessage, response: ServerResponse, posted?: PostedMessages): void;
  /** Ends a session for good. */
  end(sessionId: string): Promise<void>;
  dispose(): void;
}

interface Entry {
  readonly transport: HttpServerTransport;
  readonly target: EndpointTarget;
  readonly close: () => Promise<void>;
  /** Called when a response has ended; one function for all responses. */
  readonly onResponseEnded: () => void;
  readonly recorder: SessionRecorder | undefined;
  recordedAt: number;
  /** Number of open responses, including streams. */
  openResponses: number;
  lastActiveAt: number;
}

/** Minimum interval in milliseconds between two records of activity. */
const recordIntervalMs = 60_000;

/** A session that fails to close is forgotten all the same. */
const ignore = () => {};

export function createHttpSessions(
  sessions: Pick<SessionRegistry, 'open'>,
  clock: Clock,
  limits: HttpSessionLimits = httpSessionLimits,
  stored?: StoredHttpSessions,
): HttpSessions {
  const entries = new Map<string, Entry>();
  /** By session id, because several requests of one client may arrive at once. */
  const resuming = new Map<string, Promise<string | undefined>>();
  let sweep: Disposable | undefined;
  let isEnding = false;

  async function open(
    options: HttpSessionOptions,
    earlier?: { readonly sessionId: string; readonly past: RecordedSession },
  ): Promise<string | undefined> {
    if (entries.size >= limits.maxSessions && !(await closeLongestIdle())) return undefined;
    const endInOrder = async () => {
      await Promise.all([stored?.forget(transport.sessionId), session.close(sessionClosed())]);
    };
    const transport = createHttpServerTransport(systemClock, endInOrder, earlier?.sessionId);
    const notes = stored?.recorderOf(transport.sessionId, options);
    const session: Session = await sessions.open({
      transport,
      via: 'http',
      ...options,
      ...(notes === undefined ? {} : { recorder: notes }),
      ...(earlier === undefined ? {} : { recorded: earlier.past }),
    });
    const entry: Entry = {
      transport,
      target: options,
      close: () => session.close(),
      onResponseEnded: () => {
        entry.openResponses -= 1;
        entry.lastActiveAt = clock.now();
      },
      openResponses: 0,
      lastActiveAt: clock.now(),
      recorder: notes,
      recordedAt: clock.now(),
    };
    entries.set(transport.sessionId, entry);
    session.onClosed(() => {
      entries.delete(transport.sessionId);
      // Sessions stay stored only if the hub itself ends; a session that was cut must not come back.
      if (!isEnding) stored?.forget(transport.sessionId).catch(ignore);
    });
    sweep ??= clock.after(limits.idleMs, sweepIdle);
    return transport.sessionId;
  }

  async function closeLongestIdle(): Promise<boolean> {
    const [longestIdle] = idle().sort((a, b) => a.lastActiveAt - b.lastActiveAt);
    if (longestIdle !== undefined) await endPermanently(longestIdle);
    return longestIdle !== undefined;
  }

  async function endPermanently({ transport, close }: Entry): Promise<void> {
    await Promise.all([stored?.forget(transport.sessionId), close()]);
  }

  /** Records activity; a client may have only an open stream for days. */
  function recordActivity(entry: Entry): void {
    if (clock.now() - entry.recordedAt < recordIntervalMs) return;
    entry.recordedAt = clock.now();
    entry.recorder?.recordActivity();
  }

  const takeUp: HttpSessions['resume'] = async (sessionId, place) => {
    const found = await stored?.find(sessionId, place);
    if (found === undefined) return 'unknown';
    if (isEnding) return 'ending';
    if (entries.has(sessionId)) return 'taken';
    const taking = resuming.get(sessionId) ?? open(found.wish, { sessionId, past: found.past });
    resuming.set(sessionId, taking);
    try {
      await taking;
      return entries.has(sessionId) ? 'taken' : 'busy';
    } finally {
      resuming.delete(sessionId);
    }
  };

  function sweepIdle(): void {
    const earlier = clock.now() - limits.idleMs;
    for (const entry of entries.values()) if (entry.openResponses > 0) recordActivity(entry);
    for (const entry of idle()) if (entry.lastActiveAt <= earlier) endPermanently(entry).catch(ignore);
    sweep = entries.size === 0 ? undefined : clock.after(limits.idleMs / 10, sweepIdle);
  }

  const idle = () => [...entries.values()].filter((entry) => entry.openResponses === 0);

  return {
    has(sessionId, { only, profile, identityId }) {
      const place = entries.get(sessionId)?.target;
      if (place === undefined || place.identityId !== identityId) return false;
      return place.only === only && place.profile === profile;
    },
    open,
    resume: takeUp,
    prepareShutdown() {
      isEnding = true;
    },
    serve(sessionId, request, response, posted) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return;
      entry.openResponses += 1;
      entry.lastActiveAt = clock.now();
      recordActivity(entry);
      response.on('close', entry.onResponseEnded);
      entry.transport.handle(request, response, posted);
    },
    async end(sessionId) {
      const entry = entries.get(sessionId);
      if (entry !== undefined) await endPermanently(entry);
    },
    dispose: () => sweep?.dispose(),
  };
}
