import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgressTokens } from '../../../../electron/engine/routing/progress-tokens.ts';
import { createFailingHub, pass } from '../../../helper/failing-hub.ts';
import { progressOf, requestOf } from '../../../helper/raw-messages.ts';

type Params = Readonly<Record<string, unknown>>;

const meta = { progressToken: 'mine' };
const values = (heard: readonly Params[]) => heard.map(({ progress }) => Number(progress));
const isGrowing = (numbers: readonly number[]) =>
  numbers.every((value, index) => index === 0 || value > Number(numbers[index - 1]));

/** Returns the token that the server got in its first call in place of the client's. */
function tokenAt(hub: ReturnType<typeof createFailingHub>, key: string): unknown {
  const told = hub.server(key)?.received[0]?.params?._meta;
  return typeof told === 'object' && told !== null && 'progressToken' in told
    ? told.progressToken
    : undefined;
}

describe('a call that waits for its server', () => {
  it("[PB-DEMAND-1] reports every two seconds what it waits for, with values below the server's later ones", async () => {
    await using hub = createFailingHub(['github']);
    const heard: Params[] = [];
    const { mark, answer } = hub.call('github:act', {
      meta,
      heard: (params) => heard.push(params),
      plan: { github: ['hang'] },
    });
    void answer.catch(() => {});
    await pass(hub.clock, 1_999);
    expect(heard).toEqual([]);
    await pass(hub.clock, 4_001);
    expect(heard).toMatchObject([
      { progressToken: 'mine', message: 'Starting github…' },
      { progressToken: 'mine', message: 'Starting github…' },
      { progressToken: 'mine', message: 'Starting github…' },
    ]);
    await hub.start('github');
    await pass(hub.clock, 10_000);
    expect(hub.runs.get(mark)).toHaveLength(1);
    expect(heard).toHaveLength(3);
    const progressToken = tokenAt(hub, 'github');
    for (const progress of [0, 0.5, 1]) {
      await hub
        .server('github')
        ?.notify('notifications/progress', { progressToken, progress, total: 2, x: 1 });
    }
    await pass(hub.clock, 0);
    expect(heard.slice(3)).toEqual([0, 0.5, 1].map((progress) => ({ ...meta, progress, total: 2, x: 1 })));
    expect(isGrowing(values(heard))).toBe(true);
  });

  it('sends nothing to a client without a token, and nothing after a cancellation', async () => {
    await using hub = createFailingHub(['a']);
    const heard: Params[] = [];
    const leaving = new AbortController();
    const wish = { heard: (params: Params) => void heard.push(params), signal: leaving.signal };
    for (const { answer } of [hub.call('a:act', wish), hub.call('a:act', { ...wish, meta })]) {
      answer.catch(() => {});
    }
    await pass(hub.clock, 2_000);
    expect(heard).toHaveLength(1);
    leaving.abort();
    await pass(hub.clock, 60_000);
    expect(heard).toHaveLength(1);
    expect(hub.clock.pending).toBe(0);
  });
});

describe('a call that is sent again', () => {
  it('[REQ-MCP-CALL-002] has a token of its own each time, and progress that only grows', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const heard: Params[] = [];
    const { mark } = hub.call('a:read', {
      meta,
      heard: (params) => heard.push(params),
      plan: { a: ['hang', 'hang'] },
    });
    await pass(hub.clock, 0);
    const say = (progressToken: unknown, progress: number) =>
      hub.server('a')?.notify('notifications/progress', { progressToken, progress });
    const first = tokenAt(hub, 'a');
    await say(first, 1);
    await say(first, 2);
    await pass(hub.clock, 0);
    await hub.end('a');
    await pass(hub.clock, 3_000);
    await hub.start('a');
    await pass(hub.clock, 0);
    expect(hub.runs.get(mark)).toHaveLength(2);
    const second = tokenAt(hub, 'a');
    expect(second).not.toBe(first);
    for (const progress of [1, 2, 3, 4]) await say(second, progress);
    await say(first, 9);
    await pass(hub.clock, 0);
    expect(heard.filter(({ message }) => message === undefined)).toEqual(
      [1, 2, 3, 4].map((progress) => ({ ...meta, progress })),
    );
    expect(heard).toHaveLength(5);
    expect(isGrowing(values(heard))).toBe(true);
  });

  it('[PB-ISO-1] gets no progress from another server, whatever token that invents', () => {
    const tokens = new ProgressTokens();
    const heard: unknown[] = [];
    const request = requestOf('tools/call', { name: 't', _meta: meta });
    const leg = tokens.watch('a', { request, onProgress: (notice) => heard.push(notice.params) });
    const params = { progressToken: Number(leg?.token), progress: 1 };
    const notice = { jsonrpc: '2.0', method: 'notifications/progress', params } as const;
    tokens.deliver('b', notice);
    expect(heard).toEqual([]);
    tokens.deliver('a', notice);
    expect(heard).toEqual([{ ...meta, progress: 1 }]);
  });

  it('[PB-PASS-1] gets the progress of a server that returns its token as a string', () => {
    const tokens = new ProgressTokens();
    const heard: unknown[] = [];
    const request = requestOf('tools/call', { name: 't', _meta: meta });
    const leg = tokens.watch('a', { request, onProgress: (notice) => heard.push(notice.params) });
    for (const progressToken of [String(leg?.token), `${leg?.token}.0`, `${leg?.token}x`, null])
      tokens.deliver('a', {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
    expect(heard).toEqual([
      { ...meta, progress: 1 },
      { ...meta, progress: 1 },
    ]);
  });

  it("[REQ-MCP-CALL-002] the client's progress only grows, whatever the servers send", () => {
    const step = fc.oneof(
      fc.constant('renew' as const),
      fc.constant('announce' as const),
      // Each server reports increasing progress; between two servers any value may come.
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tokens = new ProgressTokens();
        const heard: number[] = [];
        const request = requestOf('tools/call', { name: 't', _meta: meta });
        const leg = tokens.watch('a', {
          request,
          onProgress: (notice) => heard.push(Number(notice.params?.progress)),
        });
        let own = -1;
        for (const said of steps) {
          if (said === 'renew') {
            leg?.restart('a');
            own = -1;
          } else if (said === 'announce') {
            // Announced only while no server can report progress.
            leg?.restart('a');
            own = -1;
            leg?.announce('Starting…');
          } else if (said > own) {
            own = said;
            const notice = progressOf({ progressToken: Number(leg?.token), progress: said });
            tokens.deliver('a', {
              jsonrpc: '2.0',
              method: 'notifications/progress',
              params: notice.params ?? {},
            });
          }
        }
        expect(isGrowing(heard)).toBe(true);
      }),
    );
  });
});
