import { describe, expect, it } from 'vitest';
import { toRaw, toValue } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { newStreamMemory } from '../../../../../electron/engine/transport/http-client/session-stream.ts';
import { ModernLink } from '../../../../../electron/engine/transport/modern/modern-link.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import type { Json } from './modern-peers.ts';

/** A link to a remote server that the test plays. */
function linked(respond: (request: Json, signal: AbortSignal) => Response) {
  const clock = new FakeClock();
  const received: Json[] = [];
  const posted: Json[] = [];
  const named: Json[] = [];
  const context = {
    url: new URL('http://127.0.0.1:1/mcp'),
    headers: {},
    clock,
    signal: new AbortController().signal,
    isReconnect: false,
    sessionStream: newStreamMemory(),
    separateConnections: () => undefined,
    async fetch(_url: unknown, { body, headers, signal }: RequestInit = {}) {
      const request: Json = JSON.parse(Buffer.from(body as Uint8Array).toString('utf8'));
      posted.push([request.method, new Headers(headers).get('mcp-param-region')]);
      named.push(new Headers(headers).get('mcp-name'));
      return respond(request, signal as AbortSignal);
    },
    protocolVersion: () => undefined,
    message: (message: Parameters<typeof toValue>[0]) => void received.push(toValue(message)),
    unanswered() {},
    noise() {},
    closed() {},
    acceptsErrorAnswers: () => true,
    eraChange: async () => undefined,
  };
  const discover = { capabilities: {}, serverInfo: {} };
  const link = new ModernLink(context, { era: 'modern', version: '2026-07-28', discover });
  const send = (id: number, method: string, params: Json = {}) =>
    link.send(toRaw({ jsonrpc: '2.0', id, method, params }));
  const call = (id: number) => send(id, 'tools/call', { name: 'deploy', arguments: { region: 'eu' } });
  return { clock, link, received, posted, named, send, call };
}

/** A stream of events that is left open after this answer. */
function leftOpen(answer: object, signal: AbortSignal): Response {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(`data: ${JSON.stringify(answer)}\n\n`));
      signal.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

const deploy = (region: object) => ({
  name: 'deploy',
  inputSchema: { type: 'object', properties: { region: { type: 'string', ...region } } },
});
const marked = deploy({ 'x-mcp-header': 'Region' });

describe('[PB-DUAL-3] a stateless server over HTTP', () => {
  it.each(['a while', 'the end'])(
    'may leave a stream open after the answer: it is closed after %s',
    async (when) => {
      const signals: AbortSignal[] = [];
      const { clock, link, received, call } = linked(({ id }, signal) => {
        signals.push(signal);
        return leftOpen({ jsonrpc: '2.0', id, result: { content: [] } }, signal);
      });
      await call(2);
      await eventually(() => expect(received).toMatchObject([{ id: 2, result: { content: [] } }]));
      expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
      if (when === 'the end') link.close();
      else await clock.advance(5_000);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      await eventually(() => expect(clock.pending).toBe(0));
      expect(received).toHaveLength(1);
    },
  );

  it('gets a header that its list asks for on a later page, once it has missed it', async () => {
    let isMissed = false;
    const { received, posted, call } = linked(({ id, method, params }, signal) => {
      const answer = { jsonrpc: '2.0', id };
      const pages: Json = { undefined: { tools: [], nextCursor: 'b' }, b: { tools: [marked] } };
      if (method === 'tools/list') return leftOpen({ ...answer, result: pages[params.cursor] }, signal);
      if (isMissed) return Response.json({ ...answer, result: { content: [] } });
      isMissed = true;
      return Response.json({ ...answer, error: { code: -32020, message: 'missing' } }, { status: 400 });
    });
    await call(2);
    expect(posted).toEqual([
      ['tools/call', null],
      ['tools/list', null],
      ['tools/list', null],
      ['tools/call', 'eu'],
    ]);
    expect(received).toMatchObject([{ id: 2, result: { content: [] } }]);
  });

  it('gets no argument in a header any more once its list does not ask for it', async () => {
    const lists = [[marked], [deploy({})]];
    const { posted, send, call } = linked(({ id, method }) => {
      const result = method === 'tools/list' ? { tools: lists.shift() } : { content: [] };
      return Response.json({ jsonrpc: '2.0', id, result });
    });
    await send(2, 'tools/list');
    await call(3);
    await send(4, 'tools/list');
    await call(5);
    expect(posted.filter(([method]) => method === 'tools/call')).toEqual([
      ['tools/call', 'eu'],
      ['tools/call', null],
    ]);
  });

  it('is told whom a request is for, whatever other params are called', async () => {
    const { named, send } = linked(({ id }) => Response.json({ jsonrpc: '2.0', id, result: {} }));
    const both = { name: 'n', uri: 'a://u', taskId: 't' };
    await send(2, 'resources/read', both);
    await send(3, 'prompts/get', both);
    await send(4, 'tasks/get', both);
    await send(5, 'completion/complete', both);
    expect(named).toEqual(['a://u', 'n', 't', null]);
  });
});
