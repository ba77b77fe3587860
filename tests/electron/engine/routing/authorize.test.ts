import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import { ActiveCalls } from '../../../../electron/engine/routing/active-calls.ts';
import type {
  CallAuthorizer,
  CallRecord,
  UnroutableCall,
} from '../../../../electron/engine/routing/contract.ts';
import { toolDisabled } from '../../../../electron/engine/routing/error-map.ts';
import { Resilience } from '../../../../electron/engine/routing/resilience/resilience.ts';
import { Router } from '../../../../electron/engine/routing/router.ts';
import type { Effect } from '../../../../shared/model/access/access.ts';
import { catalogueOf, serverOf } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { createFakeSupervisor } from '../../../helper/fake-supervisor.ts';
import { connectTo } from '../../../helper/memory-server.ts';
import { requestOf, resultOf } from '../../../helper/raw-messages.ts';

const view = createView(
  catalogueOf(serverOf('a', { tools: ['t'] }), serverOf('b', { tools: ['t', 'u'] })),
  chooseProfile({ programDefault: 'colon' }),
);

const clock = new FakeClock();

/** Creates a router with fixed decisions by `server:tool`. */
async function setUp(effects: Readonly<Record<string, Effect>>, other: Partial<CallAuthorizer> = {}) {
  const supervisor = createFakeSupervisor(['a', 'b']);
  const asked: string[] = [];
  const started: CallRecord[] = [];
  const ended: CallRecord[] = [];
  const strayed: UnroutableCall[] = [];
  const calls = new ActiveCalls();
  calls.observe({
    started: (call) => void started.push(call),
    ended: (call) => void ended.push(call),
    unroutable: (call) => void strayed.push(call),
  });
  const router = new Router({
    calls,
    supervisor,
    clock,
    resilience: new Resilience({ clock }),
    optionsOf: () => ({ fallback: new Map([['t', ['b:t', 'b:u']]]) }),
    access: {
      decide: (_session, { serverKey, name }) => ({
        effect: effects[`${serverKey}:${name}`] ?? 'deny',
        code: 'granted',
        reason: '',
        cached: false,
      }),
      refusal: (_session, { serverKey, name }) => toolDisabled(serverKey, name),
      requestApproval: async (_request, { serverKey, name }, tell) => {
        tell('Waiting…');
        asked.push(`${serverKey}:${name}`);
      },
      refusesServer: (_session, key) => (key === 'b' ? toolDisabled(key, '') : undefined),
      ...other,
    },
  });
  for (const key of ['a', 'b']) {
    const handlers = { 'tools/call': ({ name }: { name?: unknown }) => ({ ran: `${key}:${String(name)}` }) };
    const { connection } = await connectTo({
      handlers: { ...handlers, 'prompts/get': () => ({ ran: key }) },
    });
    supervisor.server(key).connected(connection);
  }
  const told: unknown[] = [];
  const call = (method: string, params: Readonly<Record<string, unknown>>, serverKey?: string) =>
    router
      .call({
        sessionId: 's',
        message: requestOf(method, params),
        view,
        serverKey,
        signal: new AbortController().signal,
        onProgress: ({ params: said }) => void told.push(said?.message),
      })
      .then(resultOf, (error: unknown) => (error instanceof RpcError ? error.toObject().data : error));
  return { supervisor, call, asked, started, ended, strayed, told };
}

describe('a router that has calls authorized', () => {
  it('[REQ-MCP-AUTH-001] sends what is allowed, and says why it was', async () => {
    const { call, ended } = await setUp({ 'a:t': 'allow' });
    expect(await call('tools/call', { name: 'a:t' })).toEqual({ ran: 'a:t' });
    expect(ended).toMatchObject([{ outcome: 'ok', decision: { effect: 'allow', cached: false } }]);
  });

  it('[REQ-MCP-AUTH-003] refuses the rest before anything is begun', async () => {
    const { call, started, strayed } = await setUp({});
    expect(await call('tools/call', { name: 'a:t' })).toMatchObject({ code: 'call.tool_disabled' });
    expect([started, strayed]).toMatchObject([[], [{ sessionId: 's', error: { code: -32012 } }]]);
  });

  it('[REQ-MCP-AUTH-003] asks for approval, informs the client meanwhile, and treats a refusal as one', async () => {
    const { call, asked, told, ended } = await setUp({ 'a:t': 'ask' });
    const answer = await call('tools/call', { name: 'a:t', _meta: { progressToken: 'p' } });
    expect([answer, asked, told]).toEqual([{ ran: 'a:t' }, ['a:t'], ['Waiting…']]);
    expect(ended).toMatchObject([{ outcome: 'ok', attempts: 1, decision: { effect: 'ask' } }]);
    const refusing = await setUp(
      { 'a:t': 'ask' },
      { requestApproval: () => Promise.reject(toolDisabled('a', 't')) },
    );
    expect(await refusing.call('tools/call', { name: 'a:t' })).toMatchObject({ code: 'call.tool_disabled' });
    expect(refusing.ended).toMatchObject([{ outcome: 'refused', attempts: 0 }]);
  });

  it('[REQ-MCP-OBS-001] [AG-US5-AC7] counts the wait for approval as time of a person, however that ended', async () => {
    const { call, ended } = await setUp(
      { 'a:t': 'ask', 'b:t': 'ask', 'b:u': 'allow' },
      {
        requestApproval: async (_request, { serverKey }) => {
          await clock.advance(serverKey === 'a' ? 40_000 : 2_000);
          if (serverKey === 'b') throw toolDisabled('b', 't');
        },
      },
    );
    for (const name of ['a:t', 'b:t', 'b:u']) await call('tools/call', { name });
    expect(ended.map(({ humanWaitMs }) => humanWaitMs)).toEqual([40_000, 2_000, 0]);
  });

  it('[REQ-MCP-AUTH-003] [REQ-MCP-CALL-004] takes a fallback only where that is plainly allowed', async () => {
    const effects = { 'a:t': 'allow', 'b:t': 'ask', 'b:u': 'allow' } as const;
    const { call, supervisor, asked, ended } = await setUp(effects);
    supervisor.servers.delete('a');
    expect(await call('tools/call', { name: 'a:t' })).toEqual({ ran: 'b:u' });
    expect([asked, ended]).toMatchObject([[], [{ skipped: ['b:t'], fallback: { name: 'u' } }]]);
  });

  it('[REQ-MCP-AUTH-001] allows other requests to servers with at least one granted item', async () => {
    const { call, strayed } = await setUp({});
    expect(await call('prompts/get', { name: 'p' }, 'a')).toEqual({ ran: 'a' });
    expect(await call('prompts/get', { name: 'p' }, 'b')).toMatchObject({ code: 'call.tool_disabled' });
    expect(strayed).toHaveLength(1);
  });
});
