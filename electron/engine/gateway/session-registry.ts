import type { ClientView } from '../../../shared/model/client.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { RpcError } from '../rpc/message.ts';
import { createSession } from './session.ts';
import type { Session, SessionConnection, SessionServices } from './session-contract.ts';

/** All live sessions of a program, over any transport. */
export interface SessionRegistry {
  /**
   * Opens a session over a transport; it is removed when it ends. Two connections of one client are two
   * sessions.
   */
  open(connection: SessionConnection): Promise<Session>;
  views(): readonly ClientView[];
  find(id: string): Session | undefined;
  /**
   * Cuts the sessions of this identity; `why` is the error for calls in progress. See {@link Session.cut}.
   */
  revoke(identityId: string, why: RpcError): Promise<void>;
  /** Fires once for a burst of changes. */
  readonly onChange: Event<readonly ClientView[]>;
  /** Ends every session and opens no more. */
  close(): Promise<void>;
}

export function createSessionRegistry(services: SessionServices): SessionRegistry {
  const sessions = new Set<Session>();
  const changed = new Emitter<readonly ClientView[]>();
  const burst = createCoalescer(services.clock, burstWindowMs, () => changed.fire(views()));
  const views = () => [...sessions].map((session) => session.view());
  let state: 'open' | 'closed' = 'open';

  return {
    async open(connection) {
      const resumedId = connection.bridge?.session;
      // The session that a bridge reconnects to has ended, whether or not that was noticed.
      for (const session of sessions) if (session.id === resumedId) void session.close();
      const session = createSession({ ...services, ...connection });
      sessions.add(session);
      session.onChange(burst.mark);
      session.onClosed(() => {
        sessions.delete(session);
        burst.mark();
      });
      await startSession(session, state);
      burst.mark();
      return session;
    },
    views,
    find: (id) => [...sessions].find((session) => session.id === id),
    async revoke(identityId, why) {
      const theirs = [...sessions].filter((session) => session.identityId === identityId);
      await Promise.allSettled(theirs.map((session) => session.revoke(why)));
    },
    onChange: changed.event,
    async close() {
      state = 'closed';
      await Promise.allSettled([...sessions].map((session) => session.close()));
      burst.dispose();
    },
  };
}

async function startSession(session: Session, state: 'open' | 'closed'): Promise<void> {
  if (state === 'closed') return session.close();
  try {
    await session.start();
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Changes within this time, in milliseconds, are reported together. */
const burstWindowMs = 50;
