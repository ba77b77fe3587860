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

/** Straight to /mcp. `wasDown(from, to)` tells whether the hub was away then, which is what may cut a connection. */
export function httpConnection({ port, token, journal, violate, wasDown }) {
  return (handlers) => {
    let isLeaving = false;
    const wire = openHttp({
      port,
      token,
      onMessage: handlers.message,
      onStreamEnd() {
        if (isLeaving) return;
        journal.note('session stream ended');
        const now = Date.now();
        setTimeout(
          () => wasDown(now, Date.now()) || violate('connections hold', 'a stream of a hub that ran'),
          1_500,
        );
        handlers.closed({ why: 'hub gone' });
      },
    });

    async function post(message, request) {
      const from = Date.now();
      const outcome = await wire.post(message);
      if (request === undefined) return;
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
      listen: wire.listen,
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
