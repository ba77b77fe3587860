import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { connectBridge, isConnected, startHub, textOf } from '../../helper/running-hub.ts';
import { envelope, type Json } from './transport/modern/modern-peers.ts';

type Hub = Awaited<ReturnType<typeof startHub>>;

/** A stateless client over HTTP that calls one tool. */
const callAsk = (hub: Hub, more: Json = {}) => callTool(hub, 'ask', more);

const callTool = async (hub: Hub, tool: string, more: Json = {}) => {
  const { url, token } = hub.engine.connection();
  const params = { name: `one__${tool}`, arguments: {}, ...more };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...params, _meta: envelope() },
    }),
  });
  return { status: response.status, ...((await response.json()) as Json) };
};

const answers = (result: Json) => {
  const [key = ''] = Object.keys(result.inputRequests);
  const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } };
  return { inputResponses, requestState: result.requestState };
};

describe('[PB-DUAL-2] [PB-DUAL-4] a call that waits for the answers of its client', () => {
  it('goes on with them, once', async () => {
    await using hub = await startHub({ one: nodeEntry(fixture('legacy-ask')) });
    await isConnected(hub, 'one');
    const { result } = await callAsk(hub);
    const retry = answers(result);
    expect(await callAsk(hub, retry)).toMatchObject({ result: { content: [{ text: 'accept Ada' }] } });
    expect(await callAsk(hub, retry)).toMatchObject({ status: 200, error: { code: -32602 } });
  });

  it('is one of several of a client at its own server, which does not tell them apart: all get their answers', async () => {
    const patchbay = { isolation: 'per-client' };
    await using hub = await startHub({ one: { ...nodeEntry(fixture('legacy-ask')), patchbay } });
    await isConnected(hub, 'one');
    const asked = await Promise.all([1, 2, 3].map(() => callAsk(hub)));
    const answerLater = async ({ result }: Json, at: number) => {
      await setTimeout(at * 200);
      return callAsk(hub, answers(result));
    };
    const replies = await Promise.all(asked.map(answerLater));
    expect(replies.map(({ result }) => result.content)).toEqual(
      asked.map(() => [{ type: 'text', text: 'accept Ada' }]),
    );
  });

  it('is not begun again after a restart of the hub; the next call is fresh', async () => {
    await using hub = await startHub({ one: nodeEntry(fixture('legacy-ask')) });
    await isConnected(hub, 'one');
    const { result } = await callAsk(hub);
    await hub.restart();
    await isConnected(hub, 'one');
    const refused = await callAsk(hub, answers(result));
    expect(refused.error).toMatchObject({ code: -32602 });
    const again = await callAsk(hub);
    expect(again.result).toMatchObject({ resultType: 'input_required' });
    expect(await callAsk(hub, answers(again.result))).toMatchObject({
      result: { content: [{ text: 'accept Ada' }] },
    });
  });
});

/** A stateless server over HTTP in a process of its own. */
async function remoteProcess(port = '0') {
  const env = { ...process.env, PORT: port };
  const child = spawn(process.execPath, [fixture('modern'), '--http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const [line] = await once(child.stdout, 'data');
  return {
    port: String(line).trim(),
    async kill() {
      if (child.signalCode !== null || child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('[PB-DUAL-3] [PB-DUAL-4] a stateless server that is killed while its question waits', () => {
  const goesOn = { result: { content: [{ text: 'accept Ada state-of-ask' }] } };

  it('gets the answers, and its own state, once it is started again', async () => {
    await using hub = await startHub({ one: nodeEntry(fixture('modern')) });
    await isConnected(hub, 'one');
    const { result } = await callAsk(hub);
    const { pid = 0 } = hub.server('one');
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(hub.server('one').pid).not.toBe(pid));
    const retry = answers(result);
    expect(await callAsk(hub, retry)).toMatchObject(goesOn);
    expect(await callAsk(hub, retry)).toMatchObject({ status: 200, error: { code: -32602 } });
  });

  it('gets them elsewhere as well, although the hub did not see it end', async () => {
    const first = await remoteProcess();
    const url = `http://127.0.0.1:${first.port}/mcp`;
    await using hub = await startHub({ one: { type: 'http', url } });
    await isConnected(hub, 'one');
    const { result } = await callAsk(hub);
    await first.kill();
    const second = await remoteProcess(first.port);
    try {
      expect(await callAsk(hub, answers(result))).toMatchObject(goesOn);
      const again = await callAsk(hub);
      await second.kill();
      const late = callAsk(hub, answers(again.result));
      const third = await remoteProcess(first.port);
      expect(await late).toMatchObject(goesOn);
      await third.kill();
    } finally {
      await second.kill();
    }
  });

  it('costs a client with a session its call, which it may make again', async () => {
    await using hub = await startHub({ one: nodeEntry(fixture('modern')) });
    await isConnected(hub, 'one');
    await using client = await connectBridge(hub.dir, 'ada', { elicitation: {} });
    let asked = 0;
    client.setRequestHandler(ElicitRequestSchema, async (_request, { signal }) => {
      asked += 1;
      if (asked === 1) await once(signal, 'abort');
      return { action: 'accept', content: { name: 'Ada' } };
    });
    const call = client.callTool({ name: 'one__ask', arguments: {} });
    const failed = expect(call).rejects.toMatchObject({
      code: -32010,
      message: expect.stringContaining('nothing of it is running'),
      data: { fix: 'Make the call again.' },
    });
    await eventually(() => expect(asked).toBe(1));
    process.kill(hub.server('one').pid ?? 0, 'SIGKILL');
    await failed;
    expect(textOf(await client.callTool({ name: 'one__ask', arguments: {} }))).toBe(
      'accept Ada state-of-ask',
    );
  });
});

describe('[PB-DUAL-4] a stateless server, or its client, that breaks the protocol', () => {
  const odd = async () => {
    const hub = await startHub({ one: nodeEntry(fixture('odd-stateless')) });
    await isConnected(hub, 'one');
    return hub;
  };

  it.each([
    [
      'odd-type',
      { error: { code: -32603, message: expect.stringContaining('unknown resultType: postponed') } },
    ],
    ['no-type', { result: { resultType: 'complete', content: [{ text: 'as of old' }] } }],
    ['asks-as-of-old', { result: { resultType: 'complete', content: [{ text: 'asked as of old' }] } }],
    ['waits-forever', { error: { code: -32603, message: expect.stringContaining('may never stop') } }],
  ])('%s: its client gets one answer, and the next call works', async (tool, answer) => {
    await using hub = await odd();
    expect(await callTool(hub, tool)).toMatchObject(answer);
    const { result } = await callTool(hub, 'asks-once');
    expect(await callTool(hub, 'asks-once', answers(result))).toMatchObject({
      result: { content: [{ text: 'hello Ada' }] },
    });
  });

  it('asks for ever: the client is asked ten times, and then told', async () => {
    await using hub = await odd();
    let reply = await callTool(hub, 'asks-forever');
    let rounds = 0;
    for (; reply.result?.resultType === 'input_required' && rounds < 50; rounds += 1)
      reply = await callTool(hub, 'asks-forever', answers(reply.result));
    expect(rounds).toBe(10);
    expect(reply.error).toMatchObject({ code: -32603, message: expect.stringContaining('may never stop') });
  });

  it('comes back twice at once: the call goes on once, and the other is refused', async () => {
    await using hub = await odd();
    const retry = answers((await callTool(hub, 'asks-once')).result);
    const replies = await Promise.all([1, 2, 3].map(() => callTool(hub, 'asks-once', retry)));
    expect(replies.filter(({ result }) => result !== undefined)).toHaveLength(1);
    expect(replies.filter(({ error }) => error?.code === -32602)).toHaveLength(2);
    const { lines } = await hub.engine.run('server.log', { key: 'one' });
    expect(lines.filter(({ text }) => text.includes('ran asks-once'))).toHaveLength(1);
  });

  it('never comes back: its server has nothing to do for it, and others are served', async () => {
    await using hub = await odd();
    for (let time = 0; time < 40; time += 1)
      expect((await callTool(hub, 'asks-once')).result.resultType).toBe('input_required');
    const { result } = await callTool(hub, 'asks-once');
    expect(await callTool(hub, 'asks-once', answers(result))).toMatchObject({
      result: { content: [{ text: 'hello Ada' }] },
    });
  });
});
