import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NameStyle } from '../../../shared/model/client.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { PostedMessages } from '../transport/http-server-body.ts';
import { createHttpServerTransport, type HttpServerTransport } from '../transport/http-server-transport.ts';
import type { Place } from './http-guard.ts';
import type { Session } from './session-contract.ts';
import { clientEnds } from './session-errors.ts';
import type { SessionRegistry } from './session-registry.ts';

export interface HttpSessionLimits {
  readonly sessions: number;
  /** Milliseconds without a request and without an open stream after which a session ends. */
  readonly idle: number;
}

export const httpSessionLimits: HttpSessionLimits = { sessions: 256, idle: 30 * 60_000 };

/** What the address says that a client connects with. */
export interface HttpSessionWish extends Place {
  readonly askedStyle?: NameStyle;
  readonly compact?: boolean;
}

/** The sessions that came over HTTP, by session id. Clients often leave without a word, so idle ones are swept. */
export interface HttpSessions {
  /** Whether there is such a session, opened at this address and by whoever asks now. */
  has(sessionId: string, place: Place): boolean;
  /** Undefined when there are too many and all are in use. */
  open(wish: HttpSessionWish): Promise<string | undefined>;
  /** Serves one request of a session. */
  serve(sessionId: string, request: IncomingMessage, response: ServerResponse, posted?: PostedMessages): void;
  /** Ends a session that its client will not come back to. */
  end(sessionId: string): Promise<void>;
  dispose(): void;
}

interface Entry {
  readonly transport: HttpServerTransport;
  readonly place: Place;
  readonly close: () => Promise<void>;
  /** A response has ended: one function for all of them. */
  readonly answered: () => void;
  /** Responses not ended, streams included. */
  open: number;
  lastSeen: number;
}

/** A session that cannot be closed in order is forgotten all the same. */
const ignore = () => {};

export function createHttpSessions(
  sessions: Pick<SessionRegistry, 'open'>,
  clock: Clock,
  limits: HttpSessionLimits = httpSessionLimits,
): HttpSessions {
  const entries = new Map<string, Entry>();
  let sweep: Disposable | undefined;

  async function open(wish: HttpSessionWish): Promise<string | undefined> {
    if (entries.size >= limits.sessions && !(await closeLongestIdle())) return undefined;
    const endInOrder = async () => session.close(clientEnds());
    const transport = createHttpServerTransport(systemClock, endInOrder);
    const session: Session = await sessions.open({ transport, via: 'http', ...wish });
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
    };
    entries.set(transport.sessionId, entry);
    session.onClosed(() => entries.delete(transport.sessionId));
    sweep ??= clock.after(limits.idle, sweepIdle);
    return transport.sessionId;
  }

  async function closeLongestIdle(): Promise<boolean> {
    const [idlest] = idle().sort((a, b) => a.lastSeen - b.lastSeen);
    await idlest?.close();
    return idlest !== undefined;
  }

  function sweepIdle(): void {
    const before = clock.now() - limits.idle;
    for (const entry of idle()) if (entry.lastSeen <= before) entry.close().catch(ignore);
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
    serve(sessionId, request, response, posted) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return;
      entry.open += 1;
      entry.lastSeen = clock.now();
      response.on('close', entry.answered);
      entry.transport.handle(request, response, posted);
    },
    end: async (sessionId) => entries.get(sessionId)?.close(),
    dispose: () => sweep?.dispose(),
  };
}
