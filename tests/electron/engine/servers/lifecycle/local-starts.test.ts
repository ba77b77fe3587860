import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../../electron/engine/base/emitter.ts';
import type {
  ServerState,
  ServerStateChange,
  SupervisedServer,
} from '../../../../../electron/engine/servers/contract.ts';
import { awaitLocalStarts } from '../../../../../electron/engine/servers/lifecycle/local-starts.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const connecting: ServerState = { status: 'connecting', since: 0 };

/** Servers by key, whose states the test sets. */
function supervised(states: Record<string, ServerState>) {
  const changes = new Emitter<ServerStateChange>();
  const servers = new Map(
    Object.keys(states).map((key) => [
      key,
      {
        get state() {
          return states[key] ?? connecting;
        },
      } as SupervisedServer,
    ]),
  );
  return {
    servers,
    onState: changes.event,
    become(key: string, state: ServerState) {
      const previous = (states[key] ?? connecting).status;
      states[key] = state;
      changes.fire({ server: servers.get(key) as SupervisedServer, previous });
    },
  };
}

async function begun(supervisor: ReturnType<typeof supervised>, remote: readonly string[] = []) {
  const clock = new FakeClock();
  const configured = [...supervisor.servers.keys()].map((key) => {
    const transport = remote.includes(key) ? ('http' as const) : ('stdio' as const);
    return { key, transport };
  });
  const wait = { isOver: false, clock };
  void awaitLocalStarts(supervisor, configured, clock).then(() => {
    wait.isOver = true;
  });
  await clock.advance(0);
  return wait;
}

describe('what a hub waits for before it opens its endpoints', () => {
  it('is the process of each local server, or the certainty that there will be none', async () => {
    const supervisor = supervised({ a: connecting, b: connecting, far: connecting });
    const wait = await begun(supervisor, ['far']);
    supervisor.become('a', { ...connecting, pid: 2 });
    await wait.clock.advance(1);
    expect(wait.isOver).toBe(false);
    supervisor.become('b', { status: 'disconnected', since: 1 });
    await wait.clock.advance(0);
    expect(wait.isOver).toBe(true);
  });

  it('is nothing if all are remote, asleep or disabled', async () => {
    const asleep: ServerState = { status: 'disconnected', since: 0, asleep: true };
    const supervisor = supervised({ far: connecting, asleep, off: { status: 'disabled', since: 0 } });
    expect((await begun(supervisor, ['far'])).isOver).toBe(true);
  });

  it('is not a slow login shell', async () => {
    const wait = await begun(supervised({ a: connecting }));
    await wait.clock.advance(99);
    expect(wait.isOver).toBe(false);
    await wait.clock.advance(1);
    expect(wait.isOver).toBe(true);
  });
});
