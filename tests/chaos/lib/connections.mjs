import { openBridge } from './bridge-wire.mjs';
import { openHttp } from './http-wire.mjs';

/** A client's ways to the hub. Handlers: `message`, `stray`, `closed(why)`, `over(request, end)`. */

/** Through a bridge of its own. It may end only because it was killed, or because its client hung up. */
export function bridgeConnection({ program, dataDir, env, journal, violate }) {
  return (handlers) => {
    let end = 'own';
    const wire = openBridge({
      program,
      dataDir,
      env,
      onMessage: handlers.message,
      onStray: handlers.stray,
      onClosed({ code, signal, words }) {
        journal.note('bridge ended', { pid: wire.pid, end, code, signal });
        if (end === 'own') violate('bridges stay', `a bridge ended by itself (${code ?? signal}): ${words}`);
        handlers.closed({ why: end === 'killed' ? 'bridge killed' : 'connection lost' });
      },
    });
    journal.note('bridge started', { pid: wire.pid });
    return {
      send: wire.send,
      cancel: ({ id }) => wire.send(cancelled(id)),
      async leave() {
        end = 'left';
        wire.hangUp();
      },
      close() {},
      bridge: {
        pid: wire.pid,
        pauseReading: wire.pauseReading,
        resumeReading: wire.resumeReading,
        kill() {
          end = 'killed';
          wire.kill();
        },
      },
    };
  };
}

const cancelled = (requestId) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

/** Straight to /mcp, with a session or, if `isModern`, without. `wasDown(from, to)` tells whether the hub was away then, which is what may cut a connection. */
export function httpConnection({ port, token, isModern = false, journal, violate, wasDown }) {
  return (handlers) => {
    let isLeaving = false;
    function onStreamEnd() {
      if (isLeaving) return;
      journal.note('session stream ended');
      const now = Date.now();
      setTimeout(
        () => wasDown(now, Date.now()) || violate('connections hold', 'a stream of a hub that ran'),
        1_500,
      );
      handlers.closed({ why: 'hub gone' });
    }
    const wire = openHttp({ port, token, isModern, onMessage: handlers.message, onStreamEnd });

    async function post(message, request) {
      const from = Date.now();
      const outcome = await wire.post(message);
      if (request === undefined) return;
      // Lasts as long as the hub, unless it was refused or taken back.
      if (request.isListen && request.ends.some(({ kind }) => kind === 'result'))
        return request.isOver ? undefined : onStreamEnd();
      // The request continues under another id.
      if (request.id !== message.id) return;
      if (outcome.how === 'done') return handlers.over(request, { kind: 'nothing' });
      if (outcome.how === 'refused' && outcome.status === 404)
        return handlers.over(request, { kind: 'session-over' });
      if (outcome.how === 'refused')
        return handlers.over(request, {
          kind: 'error',
          code: `HTTP ${outcome.status}`,
          reason: outcome.body,
        });
      if (!isLeaving) setTimeout(() => judgeCut(from, request, outcome.why), 1_500);
      handlers.over(request, { kind: 'cut', why: 'hub gone' });
    }

    /** Looked at a little later, when it is known how the hub fared. */
    function judgeCut(from, request, why) {
      const isAnswered = request.ends.some(({ kind }) => kind !== 'cut') || request.cancelledAt !== undefined;
      if (!isAnswered && !wasDown(from, Date.now()))
        violate('connections hold', `cut by a hub that ran (${why})`, request.call);
    }

    return {
      send: (message, request) => void post(message, request),
      cancel: ({ id }) => (isModern ? wire.abort(id) : void post(cancelled(id))),
      listen: isModern ? undefined : wire.listen,
      async leave() {
        isLeaving = true;
        await wire.leave();
        wire.close();
      },
      close() {
        isLeaving = true;
        wire.close();
      },
    };
  };
}
