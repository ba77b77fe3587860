import { describe, expect, it } from 'vitest';
import { ConnectionClosedError } from '../../../../electron/engine/rpc/message.ts';
import { ProblemError } from '../../../../shared/error/problem.ts';
import { createMonitored } from '../../../helper/health.ts';
import { someProblem } from '../../../helper/views.ts';

const second = 1000;
const minute = 60 * second;

describe('checks', () => {
  it('[AG-US5-AC1] come every 30 s by default, spread, and follow the config at once', async () => {
    const hub = createMonitored(['a', 'b']);
    const { asked } = hub.connect();
    await hub.clock.advance(30 * second);
    // The handshake was a message since the start, so nothing needs to be asked.
    expect(asked).toEqual([]);
    await hub.clock.advance(minute);
    expect(asked).toHaveLength(2);
    hub.settings = { isRemote: false, interval: second };
    await hub.clock.advance(10 * second);
    expect(asked).toHaveLength(12);
  });

  it('[AG-US5-AC3] send nothing to a server that has sent a message since the last one', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    for (let check = 0; check < 20; check++) {
      server.says();
      await hub.clock.advance(30 * second);
    }
    expect(server.asked).toEqual([]);
    expect(hub.monitor.health('a')).toMatchObject({ by: 'message', misses: 0, errorRate: 0 });
  });

  it('[NFR-R1] pass for a server that ignores pings but answers its list, and then use the list', async () => {
    const hub = createMonitored();
    const server = hub.connect('a', { tools: {} });
    server.mode = 'silent-to-pings';
    await hub.clock.advance(10 * minute);
    expect(hub.failed).toEqual([]);
    expect(hub.monitor.health('a')).toMatchObject({ by: 'ping', misses: 0 });
    expect(hub.monitor.problem('a')).toBeUndefined();
    expect(server.asked.slice(0, 3)).toEqual(['ping', 'tools/list', 'tools/list']);
    server.mode = 'silent';
    await hub.clock.advance(3 * minute);
    expect(hub.failed).toHaveLength(1);
  });

  it('[NFR-R1] pass for any error response', async () => {
    const hub = createMonitored();
    const server = hub.connect('a', { tools: {} });
    server.mode = 'refuses-oddly';
    await hub.clock.advance(10 * minute);
    expect([hub.failed, hub.monitor.problem('a')]).toEqual([[], undefined]);
    expect(new Set(server.asked)).toEqual(new Set(['ping']));
  });

  it('[AG-US5-AC5] [AG-US5-AC8] give up a silent server after three timeouts of 5 s', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    await hub.clock.advance(20 * second);
    server.mode = 'silent';
    await hub.clock.advance(minute + 25 * second);
    expect(hub.monitor.health('a')).toMatchObject({ by: 'ping', misses: 2 });
    expect(hub.monitor.problem('a')?.problem).toMatchObject({ code: 'server.unhealthy' });
    expect(hub.failed).toEqual([]);
    await hub.clock.advance(35 * second);
    expect(hub.failed).toMatchObject([
      [
        'a',
        {
          code: 'server.unhealthy',
          sentence: 'a did not answer 3 health checks in a row.',
          evidence: expect.arrayContaining([
            { label: 'check', value: 'ping' },
            { label: 'reason', value: 'no answer within 5 s' },
          ]),
        },
      ],
    ]);
    expect(server.abandoned).toEqual([1, 2, 3]);
    await hub.clock.advance(10 * minute);
    expect(server.asked).toHaveLength(3);
  });

  it('count any answer and any message as a sign of life, an unknown method too', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    server.mode = 'unknown-method';
    await hub.clock.advance(5 * minute);
    expect(hub.monitor.health('a')).toMatchObject({ by: 'ping', misses: 0 });
    server.mode = 'silent';
    const asked = server.asked.length;
    await hub.clock.advance(minute - 5 * second);
    expect(server.asked.length).toBeGreaterThan(asked);
    server.says();
    await hub.clock.advance(10 * second);
    expect(hub.monitor.health('a')).toMatchObject({ misses: 0 });
  });

  it('[US3.3] leave a server alone that works on a call, for ten minutes of silence', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    await hub.clock.advance(20 * second);
    server.mode = 'silent';
    hub.supervisor.server('a').activeCalls = 1;
    await hub.clock.advance(9 * minute);
    expect(hub.failed).toEqual([]);
    expect(hub.monitor.health('a')).toMatchObject({ misses: 0 });
    expect(hub.monitor.problem('a')?.problem.sentence).toContain('working on a call');
    await hub.clock.advance(4 * minute);
    expect(hub.failed).toHaveLength(1);
  });

  it('leave it to others to report that a connection has ended', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    server.mode = 'silent';
    for (let check = 0; check < 5; check++) {
      const checking = hub.monitor.check('a');
      server.breaks(new ConnectionClosedError('The connection is closed', true));
      await checking;
    }
    expect(hub.failed).toEqual([]);
    expect(hub.monitor.health('a')).toMatchObject({ misses: 0 });
  });

  it('count a request that was lost over the network, although the connection lives', async () => {
    const hub = createMonitored(['a'], { isRemote: true });
    const server = hub.connect();
    server.mode = 'silent';
    for (let check = 0; check < 3; check++) {
      const checking = hub.monitor.check('a');
      server.breaks(new ConnectionClosedError('HTTP 502', true));
      await checking;
    }
    await hub.clock.advance(0);
    expect(hub.failed).toHaveLength(1);
  });

  /** Ends the process while the probe is pending. */
  function diesOver(hub: ReturnType<typeof createMonitored>, server: ReturnType<typeof hub.connect>) {
    hub.supervisor.server('a').lost(someProblem('server.crashed'));
    server.breaks(new ConnectionClosedError('The connection is closed', true));
  }

  it.each([
    [{ tools: {} }, ['tools/list']],
    [{ prompts: {} }, ['prompts/list']],
    [{}, []],
  ])(
    '[NFR-R1] never ping a server again that ended because of one: with %j it is asked %j',
    async (has, questions) => {
      const hub = createMonitored();
      const server = hub.connect('a', has);
      server.mode = 'silent';
      const checking = hub.monitor.check('a');
      diesOver(hub, server);
      await checking;
      const again = hub.connect('a', has);
      await hub.clock.advance(5 * minute);
      expect([...new Set(again.asked)]).toEqual(questions);
      expect([hub.failed, hub.monitor.problem('a')]).toEqual([[], undefined]);
    },
  );

  it('[NFR-R1] never ping a server again that went silent after its first ping, whatever call came after it', async () => {
    const hub = createMonitored();
    const server = hub.connect('a', { tools: {} });
    server.mode = 'silent';
    await hub.clock.advance(65 * second);
    hub.supervisor.server('a').activeCalls = 1;
    await hub.clock.advance(2 * minute);
    expect(hub.failed).toHaveLength(1);
    hub.supervisor.server('a').failed(new ProblemError(someProblem('server.unhealthy')));
    hub.supervisor.server('a').activeCalls = 0;
    const again = hub.connect('a', { tools: {} });
    await hub.clock.advance(3 * minute);
    expect(new Set(again.asked)).toEqual(new Set(['tools/list']));
  });

  it('keep pinging a server that has answered a ping before, or has nothing else to ask', async () => {
    const hub = createMonitored();
    for (const [has, isPinged] of [
      [{ tools: {} }, true],
      [{}, false],
    ] as const) {
      const server = hub.connect('a', has);
      if (isPinged) await hub.monitor.check('a');
      server.mode = 'silent';
      await hub.clock.advance(3 * minute);
      hub.supervisor.server('a').failed(new ProblemError(someProblem('server.unhealthy')));
    }
    expect(hub.failed).toHaveLength(2);
    const last = hub.connect('a', { tools: {} });
    await hub.monitor.check('a');
    expect(last.asked).toEqual(['ping']);
  });

  it('keep pinging a server that ended between two pings, during a call, or on request', async () => {
    const hub = createMonitored();
    const between = hub.connect('a', { tools: {} });
    await hub.monitor.check('a');
    diesOver(hub, between);
    const busy = hub.connect('a', { tools: {} });
    busy.mode = 'silent';
    hub.supervisor.server('a').activeCalls = 1;
    const checking = hub.monitor.check('a');
    hub.supervisor.server('a').activeCalls = 0;
    diesOver(hub, busy);
    await checking;
    const stopped = hub.connect('a', { tools: {} });
    stopped.mode = 'silent';
    void hub.monitor.check('a');
    hub.supervisor.server('a').asleep();
    stopped.breaks(new ConnectionClosedError('The connection is closed', true));
    const last = hub.connect('a', { tools: {} });
    await hub.monitor.check('a');
    expect(last.asked).toEqual(['ping']);
  });

  it('run one at a time, and none follows the end of the connection', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    server.mode = 'silent';
    void hub.monitor.check('a');
    void hub.monitor.check('a');
    expect(server.asked).toHaveLength(1);
    hub.supervisor.server('a').asleep();
    await hub.clock.advance(5 * minute);
    expect(server.asked).toHaveLength(1);
    expect(hub.monitor.health('a')).toBeUndefined();
    expect(hub.failed).toEqual([]);
    // Only the timer of the history is left.
    expect(hub.clock.pending).toBe(1);
    hub.monitor.dispose();
    expect(hub.clock.pending).toBe(0);
  });
});

describe('a machine that slept', () => {
  it('has its servers checked at once, and in quick succession until they answer', async () => {
    const hub = createMonitored(['a', 'b']);
    const [one, other] = [hub.connect('a'), hub.connect('b')];
    one.mode = 'silent';
    hub.monitor.wokeUp();
    expect([one.asked, other.asked]).toEqual([['ping'], ['ping']]);
    await hub.clock.advance(30 * second);
    expect(hub.failed.map(([key]) => key)).toEqual(['a']);
  });

  it('is recognized by timers that are much too late, and the time asleep does not count as a miss', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    await hub.clock.advance(20 * second);
    server.mode = 'silent';
    void hub.monitor.check('a');
    // A call is pending, and the timeout of the check fires hours late.
    hub.supervisor.server('a').activeCalls = 1;
    hub.clock.sleep(8 * 60 * minute);
    await hub.clock.advance(second);
    expect(hub.monitor.health('a')).toMatchObject({ misses: 0 });
    server.mode = 'answers';
    await hub.clock.advance(10 * second);
    expect(hub.failed).toEqual([]);
    expect(hub.monitor.health('a')).toMatchObject({ misses: 0, by: 'ping' });
  });

  it('checks all servers when one timer was late', async () => {
    const hub = createMonitored(['a', 'b']);
    const [one, other] = [hub.connect('a'), hub.connect('b')];
    hub.clock.sleep(60 * minute);
    await hub.clock.advance(0);
    expect(one.asked).toEqual(['ping']);
    expect(other.asked).toEqual(['ping']);
  });

  it('makes no exception for a call to a remote server: its connection may be gone', async () => {
    const hub = createMonitored(['a'], { isRemote: true });
    const server = hub.connect();
    server.mode = 'silent';
    hub.supervisor.server('a').activeCalls = 1;
    hub.monitor.wokeUp();
    await hub.clock.advance(30 * second);
    expect(hub.failed).toHaveLength(1);
  });
});

describe('the health of a server', () => {
  it('[AG-US5-AC4] [AG-US5-AC7] is reported immediately when calls fail, and when they work again', async () => {
    const hub = createMonitored();
    const server = hub.connect();
    for (let call = 0; call < 5; call++) hub.monitor.recordCall('a', 10, true);
    expect(hub.told).toEqual([['a']]);
    expect(hub.monitor.health('a')).toMatchObject({ errorRate: 1 });
    expect(hub.monitor.problem('a')?.problem.sentence).toBe('5 of the last 5 calls to a failed.');
    for (let call = 0; call < 20; call++) hub.monitor.recordCall('a', 10, false);
    server.says();
    await hub.clock.advance(30 * second);
    expect(hub.monitor.problem('a')).toBeUndefined();
    expect(hub.monitor.health('a')).toMatchObject({ errorRate: 0.2, responseMs: 10 });
  });

  it('[AG-US5-AC7] is stored as a short history, reported to listeners, including the time it was down', async () => {
    const hub = createMonitored();
    const heard: string[] = [];
    hub.monitor.onHistory('a', (samples) => heard.push(...samples.map(({ status }) => status)));
    await hub.clock.advance(30 * second);
    hub.connect();
    hub.monitor.recordCall('a', 8, false);
    await hub.clock.advance(30 * second);
    hub.supervisor.server('a').lost(someProblem('server.crashed'));
    hub.connect();
    await hub.clock.advance(30 * second);
    hub.supervisor.server('a').asleep();
    await hub.clock.advance(minute);
    expect(heard).toEqual(['ok', 'down']);
    expect(hub.monitor.history('a')).toMatchObject([
      { status: 'ok', calls: 1, errors: 0, responseMs: 8 },
      { status: 'down', calls: 0 },
    ]);
    expect(hub.monitor.history('nobody')).toEqual([]);
  });

  it('is reported for all servers together every half minute, not with each check', async () => {
    const hub = createMonitored(['a', 'b']);
    hub.connect('a');
    hub.connect('b');
    await hub.clock.advance(2 * minute);
    expect(hub.told).toEqual(Array.from({ length: 4 }, () => ['a', 'b']));
  });

  it('[PB-ISO-1] with a process for each client is that of the worst one, and only that one is given up', async () => {
    const hub = createMonitored();
    const one = hub.connectInstance('a:1');
    hub.connectInstance('a:2');
    one.pingable.mode = 'silent';
    await hub.clock.advance(2 * minute);
    expect(hub.monitor.health('a')).toMatchObject({ misses: 2 });
    await hub.clock.advance(minute);
    expect(hub.failed.map(([id]) => id)).toEqual(['a:1']);
    one.server.failed(new ProblemError(someProblem('server.unhealthy')));
    expect(hub.monitor.health('a')).toMatchObject({ misses: 0 });
    expect(hub.monitor.history('a').at(-1)).toMatchObject({ status: 'failing' });
  });

  it('is that of the new process after a restart', () => {
    const hub = createMonitored();
    hub.connect();
    for (let call = 0; call < 5; call++) hub.monitor.recordCall('a', 10, true);
    hub.connect();
    expect(hub.monitor.health('a')).toMatchObject({ errorRate: 0, misses: 0 });
    expect(hub.monitor.problem('a')).toBeUndefined();
  });
});
