import type { ClientView } from '../../../shared/model/client.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { RpcError } from '../rpc/message.ts';
import { createSession } from './session.ts';
import type { Session, SessionConnection, SessionSurroundings } from './session-contract.ts';

/** All live sessions of a program, whatever they came through. */
export interface SessionRegistry {
  /** Opens a session over a transport; it is forgotten when it ends. Two connections of one host are two sessions. */
  open(connection: SessionConnection): Promise<Session>;
  views(): readonly ClientView[];
  find(id: string): Session | undefined;
  /** Those of this identity; `why` answers what is under way. See {@link Session.cut}. */
  cut(identityId: string, why: RpcError): Promise<void>;
  /** One call for a burst of changes. */
  readonly onChange: Event<readonly ClientView[]>;
  /** Ends every session and opens no more. */
  close(): Promise<void>;
}

export function createSessionRegistry(surroundings: SessionSurroundings): SessionRegistry {
  const sessions = new Set<Session>();
  const changed = new Emitter<readonly ClientView[]>();
  const burst = createCoalescer(surroundings.clock, burstWindow, () => changed.fire(views()));
  const views = () => [...sessions].map((session) => session.view());
  let state: 'open' | 'closed' = 'open';

  return {
    async open(connection) {
      const again = connection.bridge?.session;
      // What a bridge has lost is over, whether or not it is seen to be.
      for (const session of sessions) if (session.id === again) void session.close();
      const session = createSession({ ...surroundings, ...connection });
      sessions.add(session);
      session.onChange(burst.mark);
      session.onClosed(() => {
        sessions.delete(session);
        burst.mark();
      });
      await begin(session, state);
      burst.mark();
      return session;
    },
    views,
    find: (id) => [...sessions].find((session) => session.id === id),
    async cut(identityId, why) {
      const theirs = [...sessions].filter((session) => session.identityId === identityId);
      await Promise.allSettled(theirs.map((session) => session.cut(why)));
    },
    onChange: changed.event,
    async close() {
      state = 'closed';
      await Promise.allSettled([...sessions].map((session) => session.close()));
      burst.dispose();
    },
  };
}

async function begin(session: Session, state: 'open' | 'closed'): Promise<void> {
  if (state === 'closed') return session.close();
  try {
    await session.start();
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Milliseconds in which changes of clients are told together. */
const burstWindow = 50;
