import { describe, expect, it } from 'vitest';
import type { CatalogueView } from '../../../../../electron/engine/catalogue/contract.ts';
import {
  type ReachServerOptions,
  reachServer,
} from '../../../../../electron/engine/gateway/session/initialize-result.ts';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { ActiveCalls } from '../../../../../electron/engine/routing/active-calls.ts';
import type { CallRequest } from '../../../../../electron/engine/routing/contract.ts';
import { Router } from '../../../../../electron/engine/routing/router.ts';
import type { Caller } from '../../../../../electron/engine/routing/server-requests/contract.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { createFakeSupervisor } from '../../../../helper/fake-supervisor.ts';

/** Creates a session's wait for one server; `forward` handles its ping. */
function setUp(
  forward: (request: CallRequest) => Promise<RawMessage>,
  { readyAfter = 0, listedAt = Number.POSITIVE_INFINITY } = {},
) {
  const clock = new FakeClock();
  const start = clock.uptime();
  const waits: number[] = [];
  const options: ReachServerOptions = {
    clock,
    ready: () =>
      readyAfter === 0 ? Promise.resolve() : new Promise((done) => clock.after(readyAfter, done)),
    view: () => {
      const tools = clock.uptime() - start >= listedAt ? [{}] : [];
      return { tools, prompts: [], resources: [], resourceTemplates: [] } as unknown as CatalogueView;
    },
    ended: new AbortController().signal,
    caller: {} as Caller,
    router: {
      call(request) {
        waits.push((request.connectBy ?? Number.NaN) - clock.now());
        return forward(request);
      },
    },
  };
  const waiting = { reach: (serverKey: string) => reachServer(serverKey, options) };
  return { clock, waits, waiting };
}

/** Never answers, like a server that ignores pings. */
const unanswered = ({ signal }: CallRequest) =>
  new Promise<never>((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('Cancelled'))),
  );

describe('the wait for one server', () => {
  it.each([
    [0, 27_000],
    [5_000, 22_000],
    [60_000, 2_000],
  ])('after %i ms for all is %i ms more, and its reason is reported', async (readyAfter, left) => {
    const { clock, waits, waiting } = setUp(() => Promise.reject(new Error('It crashed.')), { readyAfter });
    const reached = expect(waiting.reach('wind')).rejects.toThrow('It crashed.');
    await clock.advance(readyAfter);
    await reached;
    expect(waits).toEqual([left]);
    expect(clock.pending).toBe(0);
  });

  it.each([
    [0, 5_000],
    [2_500, 8_000],
    [Number.POSITIVE_INFINITY, 32_000],
  ])(
    'ends for a server that says nothing to a ping, and is listed after %i ms, after %i',
    async (listedAt, end) => {
      const { clock, waiting } = setUp(unanswered, { listedAt });
      let isOver = false;
      void waiting.reach('kite').then(() => {
        isOver = true;
      });
      await clock.advance(0);
      await clock.advance(end - 1);
      expect(isOver).toBe(false);
      await clock.advance(1);
      expect(isOver).toBe(true);
      expect(clock.pending).toBe(0);
    },
  );

  it("passes its deadline to the router of the session's calls", async () => {
    const clock = new FakeClock();
    const supervisor = createFakeSupervisor(['wind']);
    const router = new Router({ calls: new ActiveCalls(), supervisor, clock });
    const { waiting } = setUp((request) => router.call({ ...request, connectBy: clock.now() + 1_234 }));
    void waiting.reach('wind').catch(() => {});
    await clock.advance(0);
    expect(supervisor.server('wind').waits).toEqual([1_234]);
  });
});
