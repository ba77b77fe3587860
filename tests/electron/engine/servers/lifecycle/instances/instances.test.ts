import { describe, expect, it } from 'vitest';
import { hubSessionId, type InstanceSession } from '../../../../../../electron/engine/servers/contract.ts';
import { ProblemError, problem } from '../../../../../../shared/error/problem.ts';
import { FakeClock } from '../../../../../helper/fake-clock.ts';
import { createFakeInstances, isolatedOrder } from '../../../../../helper/fake-instances.ts';

const nobody = () => undefined;

const holder = (sessionId: string, mayReturn?: () => Promise<boolean>): InstanceSession => ({
  sessionId,
  initializeParams: nobody,
  mayReturn,
});

/** Creates instances of the server `s`, and sessions that may have some. */
function setUp(configs = [isolatedOrder('s')], sessions = ['a', 'b']) {
  const made = createFakeInstances();
  made.instances.apply(configs);
  const admissions = new Map(sessions.map((id) => [id, made.instances.admit(holder(id))]));
  return { ...made, end: (session: string) => admissions.get(session)?.dispose() };
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof ProblemError ? error.problem.code : String(error);
  }
}

describe('instances', () => {
  it('[PB-ISO-1] are one per session, created by the first call and reused by later ones', () => {
    const { instances, all } = setUp();
    const first = instances.serverFor('s', 'a');
    expect(instances.serverFor('s', 'a')).toBe(first);
    const other = instances.serverFor('s', 'b');
    expect(other).not.toBe(first);
    expect(new Set(all.map(({ server }) => server.id)).size).toBe(2);
    expect(instances.of('s')).toEqual([first, other]);
    expect(instances.ofSession('b')).toEqual([other]);
  });

  it("[PB-ISO-1] are not used for shared servers, nor for the hub's own requests", () => {
    const { instances, all } = setUp([
      isolatedOrder('s'),
      isolatedOrder('shared', { isolation: 'shared' }),
      isolatedOrder('off', { enabled: false }),
    ]);
    for (const key of ['shared', 'off', 'unknown']) expect(instances.serverFor(key, 'a')).toBeUndefined();
    expect(instances.serverFor('s', hubSessionId)).toBeUndefined();
    expect(all).toEqual([]);
    expect(['s', 'shared', 'off'].map((key) => instances.isolates(key))).toEqual([true, false, false]);
  });

  it('[PB-ISO-1] [PB-PROC-1] end with their session, and none is created after it has ended', () => {
    const { instances, all, end } = setUp();
    instances.serverFor('s', 'a');
    instances.serverFor('s', 'b');
    end('a');
    expect(all.map(({ told }) => told.at(-1))).toEqual(['end', '1']);
    expect(codeOf(() => instances.serverFor('s', 'a'))).toBe('client.gone');
    expect(codeOf(() => instances.serverFor('s', 'nobody'))).toBe('client.gone');
  });

  it('follow a changed config, and end when it is removed, turned off, or shared', () => {
    const { instances, all } = setUp([isolatedOrder('s'), isolatedOrder('t')]);
    instances.serverFor('s', 'a');
    instances.serverFor('t', 'a');
    instances.apply([isolatedOrder('s', { fingerprint: '2' }), isolatedOrder('t', { enabled: false })]);
    expect(all.map(({ told }) => told)).toEqual([
      ['1', '2'],
      ['1', 'retire'],
    ]);
    instances.apply([isolatedOrder('s', { fingerprint: '2', isolation: 'shared' })]);
    expect(all[0]?.told.at(-1)).toBe('retire');
    expect(instances.serverFor('s', 'a')).toBeUndefined();
  });

  it('are limited: a sleeping one makes room, a running one does not, and the error names the limit', () => {
    const { instances, all } = setUp([isolatedOrder('s', { maxInstances: 2 })], ['a', 'b', 'c']);
    instances.serverFor('s', 'a');
    instances.serverFor('s', 'b');
    expect(codeOf(() => instances.serverFor('s', 'c'))).toBe('server.too_many_instances');
    all[0]?.server.asleep();
    expect(instances.serverFor('s', 'c')).toBeDefined();
    expect(all.map(({ told }) => told.at(-1))).toEqual(['end', '1', '1']);
  });

  it('are restarted, put to sleep and drained with their server, including those created meanwhile', async () => {
    const { instances, all } = setUp([isolatedOrder('s')], ['a', 'b', 'c']);
    instances.serverFor('s', 'a');
    instances.restart('s');
    instances.sleep('s');
    instances.forceUpdate('s');
    instances.restart('other');
    all[0]?.server.asleep();
    instances.restart('s');
    await instances.refuseCalls();
    instances.serverFor('s', 'b');
    expect(all.map(({ told }) => told)).toEqual([
      ['1', 'restart', 'sleep', 'forceUpdate', 'refuseCalls'],
      ['refuseCalls', '1'],
    ]);
    instances.takeCalls();
    instances.serverFor('s', 'c');
    expect(all.map(({ told }) => told.at(-1))).toEqual(['takeCalls', 'takeCalls', '1']);
  });

  it('[AG-US5-AC5] fail one by one', () => {
    const { instances, all } = setUp();
    instances.serverFor('s', 'a');
    instances.serverFor('s', 'b');
    const reason = problem('server.unhealthy', 'It does not answer.', 'Look at its log.');
    expect(instances.fail(all[1]?.server.id ?? '', reason)).toBe(true);
    expect(instances.fail('s', reason)).toBe(false);
    expect(all.map(({ told }) => told.at(-1))).toEqual(['1', 'server.unhealthy']);
  });

  it('[PB-PROC-1] are all ended by a shutdown, which waits for the last of them', async () => {
    let release: (() => void)[] = [];
    const { instances } = createFakeInstances(nobody, () => new Promise((resolve) => release.push(resolve)));
    instances.apply([isolatedOrder('s')]);
    const early = instances.admit(holder('a'));
    instances.admit(holder('b'));
    instances.serverFor('s', 'a');
    instances.serverFor('s', 'b');
    early.dispose();
    let isOver = false;
    const over = instances.shutdown().then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([release.length, isOver]).toEqual([3, false]);
    for (const done of release) done();
    release = [];
    await over;
    expect(instances.of('s')).toEqual([]);
  });

  describe('of a client that may come back', () => {
    async function away(isAlive: boolean) {
      const clock = new FakeClock();
      const made = createFakeInstances(undefined, undefined, clock);
      made.instances.apply([isolatedOrder('s')]);
      const mayReturn = async () => isAlive;
      const admission = made.instances.admit(holder('a', mayReturn));
      const instance = made.instances.serverFor('s', 'a');
      admission.dispose();
      await clock.advance(300);
      return { ...made, clock, instance, back: () => made.instances.admit(holder('a', mayReturn)) };
    }

    it('[PB-ISO-1] wait for it a moment and are found again', async () => {
      const { instances, all, instance, back, clock } = await away(true);
      expect(all[0]?.told).toEqual(['1']);
      const admission = back();
      await clock.advance(60_000);
      expect(instances.serverFor('s', 'a')).toBe(instance);
      admission.dispose();
      await clock.advance(300);
      await clock.advance(10_000);
      expect(all[0]?.told).toEqual(['1', 'end']);
    });

    it('[PB-PROC-1] [PB-ISO-1] end when it does not', async () => {
      const { instances, all, clock } = await away(true);
      await clock.advance(10_000);
      expect(all[0]?.told).toEqual(['1', 'end']);
      expect(codeOf(() => instances.serverFor('s', 'a'))).toBe('client.gone');
    });

    it('[PB-PROC-1] end immediately when its program has', async () => {
      const { all } = await away(false);
      expect(all[0]?.told).toEqual(['1', 'end']);
    });
  });
});
