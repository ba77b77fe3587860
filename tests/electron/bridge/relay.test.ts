import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogueStore } from '../../../electron/engine/catalogue/contract.ts';
import { statusTool } from '../../../electron/engine/catalogue/status-tool.ts';
import type { Router } from '../../../electron/engine/routing/router.ts';
import { problem } from '../../../shared/error/problem.ts';
import { catalogueOf, createHeldRouter, echoRouter, offerOf, until } from '../../helper/gateway.ts';
import { progressOf } from '../../helper/raw-messages.ts';
import { type RelayBench, relayBench } from '../../helper/relay.ts';

const offers = { files: offerOf('read', 'write') };
const shown = ['files__read', 'files__write'];

async function bench(
  options: {
    readonly router?: Pick<Router, 'call' | 'calls'>;
    readonly cached?: boolean | CatalogueStore;
  } = {},
) {
  const catalogue = catalogueOf(offers);
  const made = await relayBench({
    catalogue,
    router: options.router ?? echoRouter,
    ...(options.cached === false ? {} : { cached: cachedBy(options.cached) }),
  });
  return { ...made, catalogue };
}

const cachedBy = (cached: boolean | CatalogueStore = true) =>
  typeof cached === 'boolean' ? catalogueOf(offers) : cached;

const names = (tools: unknown) => (tools as { readonly name: string }[]).map(({ name }) => name);
const full = problem('hub.disk_full', 'Full.', 'Free some.');
const isAttached = (it: RelayBench) => it.hub()?.views().length === 1;

/** Advances the time in small steps until the bridge has found the hub. */
async function attach(it: RelayBench): Promise<void> {
  it.up();
  for (let step = 0; step < 100 && !isAttached(it); step += 1) await it.clock.advance(100);
  await it.clock.advance(10);
  expect(isAttached(it)).toBe(true);
}

describe('the relay', () => {
  it('[PB-BRIDGE-1] answers initialize and lists at once without a hub', async () => {
    const it = await bench();
    expect((await it.client.greet()).result).toMatchObject({ serverInfo: { name: 'patchbay' } });
    expect(names((await it.client.request('tools/list')).result?.tools)).toEqual(shown);
    expect((await it.client.request('prompts/list')).result).toEqual({ prompts: [] });
    expect((await it.client.request('resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    expect((await it.client.request('ping')).result).toEqual({});
  });

  it('[FR-012] refuses requests before initialize as a hub does', async () => {
    const it = await bench();
    expect((await it.client.request('ping')).result).toEqual({});
    expect((await it.client.request('tools/list')).error?.code).toBe(-32600);
    expect((await it.client.request('server/discover')).error?.code).toBe(-32601);
  });

  it('[PB-BRIDGE-1] initializes the hub as its client and relays from then on', async () => {
    const it = await bench();
    await it.client.greet('claude-ai');
    await attach(it);
    expect(it.hub()?.views()).toMatchObject([{ name: 'claude-ai', via: 'bridge', stale: false }]);
    const { result } = await it.client.request('tools/call', { name: 'files__read', arguments: { a: 1 } });
    expect(JSON.stringify(result)).toContain('files__read');
    expect((await it.client.request('no/such')).error?.code).toBe(-32601);
    expect(it.client.notices()).toEqual([]);
  });

  it('[PB-BRIDGE-1] holds a call until the hub is there', async () => {
    const it = await bench();
    await it.client.greet();
    const call = it.client.request('tools/call', { name: 'files__read' });
    await it.clock.advance(3_000);
    expect(it.counts.starts).toBeGreaterThan(0);
    await attach(it);
    expect((await call).result).toBeDefined();
  });

  it('[PB-BRIDGE-1] [PB-PROC-1] starts no hub for a client that leaves while its hub does', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    await attach(it);
    void it.client.request('resources/read', { uri: 'x:y' });
    await until('the read', () => calls.length === 1);
    const before = it.counts.starts;
    it.leave();
    it.down();
    await it.clock.advance(20_000);
    expect(it.counts.starts).toBe(before);
  });

  it('[PB-BRIDGE-1] [PB-PROC-1] starts no hub for a client that leaves before one is there, unless a request waits', async () => {
    const it = await bench();
    await it.client.greet();
    it.leave();
    const before = it.counts.starts;
    await it.clock.advance(20_000);
    expect(it.counts.starts).toBe(before);
    const call = it.client.request('tools/call', { name: 'files__read' });
    await it.clock.advance(2_000);
    expect(it.counts.starts).toBeGreaterThan(before);
    await attach(it);
    expect((await call).result).toBeDefined();
  });

  it('[PB-BRIDGE-1] [NFR-R4] gives a call up after 50 s and says what is wrong', async () => {
    const it = await bench();
    await it.client.greet();
    const call = it.client.request('tools/call', { name: 'files__read' }, 'call');
    await it.clock.advance(49_000);
    expect(it.client.answersTo('call')).toEqual([]);
    await it.clock.advance(2_000);
    expect((await call).error).toMatchObject({ data: { code: 'hub.unreachable', fix: expect.any(String) } });
  });

  it.each([
    ['claude-ai', 18],
    ['codex-mcp-client', 3],
    ['test', 8],
  ])(
    '[PB-BRIDGE-1] [PB-LIST-1] keeps a list of %s for %s s when nothing is on disk, then says that it is not whole',
    async (client, seconds) => {
      const it = await bench({ cached: false });
      await it.client.greet(client);
      const list = it.client.request('tools/list', {}, 'list');
      await it.clock.advance(seconds * 1_000 - 100);
      expect(it.client.answersTo('list')).toEqual([]);
      await it.clock.advance(200);
      expect((await list).result).toEqual({ tools: [statusTool] });
      await attach(it);
      expect(it.client.notices().map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
      expect(names((await it.client.request('tools/list')).result?.tools)).toEqual(shown);
    },
  );

  it('[PB-LIST-1] answers for a hub without tools as that hub does, never with an empty list', async () => {
    const it = await bench({ cached: catalogueOf({}) });
    await it.client.greet();
    expect((await it.client.request('tools/list')).result).toEqual({ tools: [statusTool] });
  });

  it('[PB-LIST-1] takes no list for an answer that lacks a server which is switched on', async () => {
    const half = catalogueOf(offers);
    half.setServers(
      ['files', 'slow'].map((key) => ({ key, enabled: true, disabledTools: new Set<string>() })),
    );
    const it = await bench({ cached: half });
    await it.client.greet();
    const given = it.client.request('tools/list', {}, 'given up');
    await it.clock.advance(7_900);
    expect(it.client.answersTo('given up')).toEqual([]);
    await it.clock.advance(200);
    expect(names((await given).result?.tools)).toEqual([...shown, 'patchbay_status']);
    const list = it.client.request('tools/list', {});
    await attach(it);
    expect(names((await list).result?.tools)).toEqual(shown);
  });

  it('[PB-BRIDGE-1] takes the list of a hub that comes within the wait', async () => {
    const it = await bench({ cached: false });
    await it.client.greet();
    const list = it.client.request('tools/list');
    await it.clock.advance(1_000);
    await attach(it);
    expect(names((await list).result?.tools)).toEqual(shown);
    expect(it.client.notices()).toEqual([]);
  });

  it('[PB-BRIDGE-1] [NFR-R4] reports an unknown outcome for a call in progress when the hub dies, and repeats reads', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    await attach(it);
    const call = it.client.request('tools/call', { name: 'files__write' });
    const read = it.client.request('resources/read', { uri: 'x:y' });
    await until('both', () => calls.length === 2);
    it.down();
    expect((await call).error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
    await attach(it);
    await until('the repeated read', () => calls.length === 3);
    expect(calls[2]?.method).toBe('resources/read');
    calls[2]?.answer({ contents: [] });
    expect((await read).result).toEqual({ contents: [] });
  });

  it('[PB-BRIDGE-1] announces all lists after a reattachment, and starts no hub that nobody needs', async () => {
    const it = await bench();
    await it.client.greet();
    await attach(it);
    const { starts } = it.counts;
    it.down();
    await it.clock.advance(60_000);
    expect(it.counts.starts).toBe(starts);
    expect(names((await it.client.request('tools/list')).result?.tools)).toEqual(shown);
    await attach(it);
    expect(it.client.notices().map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      'notifications/prompts/list_changed',
    ]);
  });

  it('[PB-BRIDGE-1] [PB-PASS-1] subscribes again at the hub that comes after', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    await attach(it);
    const uri = 'patchbay://resource/files/file:///a';
    const subscribed = it.client.request('resources/subscribe', { uri });
    await until('the subscription', () => calls.length === 1);
    calls[0]?.answer({});
    await subscribed;
    it.down();
    await it.clock.advance(1_000);
    await attach(it);
    await until('the second one', () => calls.length === 2);
    expect(calls[1]?.request.message).toMatchObject({ method: 'resources/subscribe', params: { uri } });
    expect(it.client.received.filter((message) => 'error' in message)).toEqual([]);
  });

  it('[PB-BRIDGE-1] keeps its pauses between tries, and tries rarely when nobody waits', async () => {
    const it = await bench();
    await it.client.greet();
    await attach(it);
    it.down();
    await it.clock.advance(60_000);
    const before = it.counts.tries;
    await it.clock.advance(600_000);
    expect(it.counts.tries - before).toBeLessThanOrEqual(600_000 / 4_000);
    expect(it.counts.tries - before).toBeGreaterThan(10);
  });

  it('[PB-PASS-1] passes cancellation on at once, and forgets a call that was never sent', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    void it.client.request('tools/call', { name: 'files__read' }, 'parked');
    await it.clock.advance(0);
    await it.client.notify('notifications/cancelled', { requestId: 'parked' });
    await attach(it);
    void it.client.request('tools/call', { name: 'files__read' }, 'sent');
    await until('the call', () => calls.length === 1);
    await it.client.notify('notifications/cancelled', { requestId: 'sent' });
    await until('the abort', () => calls[0]?.call.aborted === true);
    await it.clock.advance(60_000);
    expect(calls).toHaveLength(1);
    expect(it.client.answersTo('parked')).toEqual([]);
    expect(it.client.answersTo('sent')).toEqual([]);
  });

  it('[PB-PASS-1] passes progress with the ids and tokens of the client', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    await attach(it);
    const call = it.client.request('tools/call', { name: 'files__read', _meta: { progressToken: 'tok' } }, 7);
    await until('the call', () => calls.length === 1);
    calls[0]?.call.onProgress(progressOf({ progressToken: 'tok', progress: 0.5 }));
    calls[0]?.answer({ content: [] });
    expect((await call).id).toBe(7);
    expect(it.client.notices('notifications/progress')).toMatchObject([{ params: { progressToken: 'tok' } }]);
  });

  it('[PB-BRIDGE-1] answers with the reason when a hub refuses, still lists, and recovers', async () => {
    const it = await bench();
    it.refuse(problem('hub.version_mismatch', 'Too old.', 'Update.'));
    await it.client.greet();
    await it.clock.advance(1_000);
    expect((await it.client.request('tools/call', { name: 'x' })).error).toMatchObject({
      message: 'Too old. Update.',
      data: { code: 'hub.version_mismatch' },
    });
    expect(names((await it.client.request('tools/list')).result?.tools)).toEqual(shown);
    it.refuse(undefined);
    await attach(it);
    expect((await it.client.request('tools/call', { name: 'files__read' })).result).toBeDefined();
  });

  it('[FR-012] refuses requests with an invalid id, and still answers the others', async () => {
    const it = await bench();
    await it.client.greet();
    for (const id of [null, {}, true, [1]]) await it.client.send({ jsonrpc: '2.0', id, method: 'ping' });
    expect((await it.client.request('ping')).result).toEqual({});
    const refused = it.client.received.filter((message) => 'error' in message);
    expect(refused).toEqual(
      Array(4).fill({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } }),
    );
  });

  it('[NFR-R4] refuses a second request under an id that is still in use', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    await attach(it);
    const first = it.client.request('tools/call', { name: 'files__read' }, 'same');
    await until('the call', () => calls.length === 1);
    expect((await it.client.request('tools/call', { name: 'files__read' }, 'same')).error).toMatchObject({
      code: -32600,
      message: 'A request with the id "same" is still in progress',
    });
    calls[0]?.answer({ content: [] });
    await Promise.race([first, it.clock.advance(10)]);
    expect(it.client.answersTo('same')).toHaveLength(2);
  });

  it('[PB-BRIDGE-1] [NFR-R4] answers at once with the reason why no hub can be started, and goes on once one can', async () => {
    const it = await bench({ cached: false });
    it.fail({ problem: full, isFinal: true });
    await it.client.greet();
    const early = it.client.request('tools/call', { name: 'files__read' });
    await it.clock.advance(1_000);
    expect((await early).error).toMatchObject({ message: 'Full. Free some.', data: full });
    for (const method of ['tools/call', 'tools/list', 'prompts/list']) {
      expect((await it.client.request(method, { name: 'x' })).error?.data).toEqual(full);
    }
    expect((await it.client.request('ping')).result).toEqual({});
    it.fail(undefined);
    await attach(it);
    expect(names((await it.client.request('tools/list')).result?.tools)).toEqual(shown);
  });

  it('[PB-BRIDGE-1] [NFR-R4] tries again for a request once the reason why no hub could be started is old', async () => {
    const it = await bench({ cached: false });
    it.fail({ problem: full, isFinal: true });
    await it.client.greet();
    await it.clock.advance(60_000);
    it.fail(undefined);
    const { starts } = it.counts;
    const list = it.client.request('tools/list', {}, 'list');
    await it.clock.advance(0);
    await it.clock.advance(500);
    expect(it.client.answersTo('list')).toEqual([]);
    expect(it.counts.starts).toBeGreaterThan(starts);
    await attach(it);
    expect(names((await list).result?.tools)).toEqual(shown);
  });

  it('[PB-BRIDGE-1] serves the cached lists while no hub can be started', async () => {
    const it = await bench();
    it.fail({ problem: full, isFinal: true });
    await it.client.greet();
    await it.clock.advance(1_000);
    expect(names((await it.client.request('tools/list')).result?.tools)).toEqual(shown);
    expect((await it.client.request('tools/call', { name: 'x' })).error?.data).toEqual(full);
  });

  it('[PB-BRIDGE-1] waits on where a hub may still come, then says why there was none', async () => {
    const it = await bench({ cached: false });
    it.fail({ problem: full, isFinal: false });
    await it.client.greet();
    const list = it.client.request('tools/list', {}, 'list');
    const call = it.client.request('tools/call', { name: 'x' }, 'call');
    await it.clock.advance(7_900);
    expect(it.client.answersTo('list')).toEqual([]);
    await it.clock.advance(200);
    expect((await list).error?.data).toEqual(full);
    await it.clock.advance(41_000);
    expect(it.client.answersTo('call')).toEqual([]);
    await it.clock.advance(2_000);
    expect((await call).error?.data).toEqual(full);
  });

  it('[NFR-R4] ends the calls of a hub that has stopped answering, and says so of the next', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    await attach(it);
    const call = it.client.request('tools/call', { name: 'files__write' });
    await until('the call', () => calls.length === 1);
    it.freeze(true);
    await it.clock.advance(41_000);
    const { error } = await call;
    expect(error).toMatchObject({
      message: expect.stringContaining('stopped answering'),
      data: { code: 'call.outcome_unknown' },
    });
    expect((await it.client.request('tools/call', { name: 'files__read' })).error).toMatchObject({
      message: expect.stringContaining('is running but does not respond'),
      data: { code: 'hub.unreachable' },
    });
    expect(names((await it.client.request('tools/list')).result?.tools)).toEqual(shown);
    it.freeze(false);
    await attach(it);
    void it.client.request('tools/call', { name: 'files__read' });
    await until('the next call', () => calls.length === 2);
  });

  it('[NFR-R4] lets a call take hours while the hub answers, and has no timer while nothing is pending', async () => {
    const { router, calls } = createHeldRouter();
    const it = await bench({ router });
    await it.client.greet();
    await attach(it);
    await it.clock.advance(20_000);
    const idle = it.clock.pending;
    const call = it.client.request('tools/call', { name: 'files__write' }, 'long');
    await until('the call', () => calls.length === 1);
    await it.clock.advance(1_000);
    expect(it.clock.pending).toBe(idle + 1);
    await it.clock.advance(7_200_000);
    expect(it.client.answersTo('long')).toEqual([]);
    calls[0]?.answer({ content: [] });
    expect((await call).result).toEqual({ content: [] });
    await it.clock.advance(20_000);
    expect(it.clock.pending).toBe(idle);
    expect(it.client.received.filter((message) => 'id' in message)).toHaveLength(2);
  });

  it('[PB-BRIDGE-1] ends with its client', async () => {
    const it = await bench();
    await it.client.greet();
    await attach(it);
    await it.client.close();
    await it.clock.advance(1);
    expect(it.counts.ends).toBe(1);
    expect(it.hub()?.views()).toEqual([]);
    expect(it.clock.pending).toBeLessThanOrEqual(1);
  });

  it('[NFR-R4] [PB-BRIDGE-1] answers every request exactly once and runs no call twice, whatever the hub does', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('call', 'read', 'list', 'ping') },
      { weight: 2, arbitrary: fc.constantFrom('up', 'down') },
      { weight: 2, arbitrary: fc.constant('answer') },
      { weight: 2, arbitrary: fc.constantFrom('short', 'long') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { router, calls } = createHeldRouter();
        const it = await bench({ router });
        await it.client.greet();
        const ids: number[] = [];
        const answerAll = () => {
          for (const { params, answer } of calls) answer({ nr: params.nr });
        };
        const methods = {
          call: 'tools/call',
          read: 'resources/read',
          list: 'tools/list',
          ping: 'ping',
        } as const;
        for (const what of steps) {
          if (what === 'up') it.up();
          else if (what === 'down') it.down();
          else if (what === 'answer') answerAll();
          else if (what === 'short') await it.clock.advance(60);
          else if (what === 'long') await it.clock.advance(7_000);
          else {
            const nr = 1_000 + ids.length;
            ids.push(nr);
            void it.client.request(methods[what as keyof typeof methods], { nr }, nr);
          }
        }
        it.up();
        for (let round = 0; round < 20; round += 1) {
          await it.clock.advance(4_000);
          answerAll();
        }
        await it.clock.advance(100);
        for (const nr of ids) {
          const answers = it.client.answersTo(nr);
          expect(answers).toHaveLength(1);
          const [answer] = answers;
          if (answer !== undefined && 'result' in answer) {
            const { nr: answered } = answer.result as { readonly nr?: number };
            if (answered !== undefined) expect(answered).toBe(nr);
          }
        }
        const ran = calls.filter(({ method }) => method === 'tools/call');
        expect(new Set(ran.map(({ params }) => params.nr)).size).toBe(ran.length);
      }),
      { numRuns: 60 },
    );
  });
});
