import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyListing } from '../../../../../electron/engine/catalogue/contract.ts';
import { createHttpEndpoint } from '../../../../../electron/engine/gateway/http/http-endpoint.ts';
import { createSessionRegistry } from '../../../../../electron/engine/gateway/session/session-registry.ts';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { parseJson } from '../../../../../shared/json.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { catalogueOf, createFakeRouter, surroundings, until } from '../../../../helper/gateway.ts';
import { anyJson, anyObject, mostly, objectOf, writeOut } from '../../transport/modern/any-json.ts';
import { envelope } from '../../transport/modern/modern-peers.ts';

const token = 'correct-horse-battery-staple';
const modern = '2026-07-28';
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close();
});

const region = { type: 'string', 'x-mcp-header': 'Region' };
const tools = ['quick', 'slow', 'wrong', 'broken'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: { region } },
}));

/** An endpoint with one server; its slow tool answers once the test is over. */
async function hub() {
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const slow = new Set<() => void>();
  const isOver = { value: false };
  const router = createFakeRouter(async ({ message }, { signal }) => {
    const name = String(message.param('name'));
    if (name.endsWith('wrong')) throw new RpcError({ code: -32602, message: 'Not like this' });
    if (name.endsWith('broken')) throw new Error('Broken');
    if (name.endsWith('slow') && !isOver.value)
      await new Promise<void>((resolve, reject) => {
        slow.add(resolve);
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    return { content: [] };
  });
  const store = catalogueOf({ s: { ...emptyListing, protocolVersion: '2025-11-25', tools } });
  const sessions = createSessionRegistry(surroundings({ router, catalogue: store, clock }));
  const endpoint = createHttpEndpoint({
    token,
    version: '1.2.3',
    instanceId: 'hub test',
    hasProfile: () => false,
    hasServer: (key) => key === 's',
    log: {
      log(_level, text, data) {
        // A client that leaves within its body is no failure.
        if (data?.error !== 'Error: aborted') failures.push({ text, data });
      },
    },
    clock,
    sessions,
  });
  await endpoint.listen(0);
  opened.push(endpoint, sessions);
  const finish = () => {
    isOver.value = true;
    for (const release of slow) release();
    slow.clear();
  };
  const begin = () => {
    isOver.value = false;
  };
  return { clock, failures, port: endpoint.port ?? 0, sessions, begin, finish };
}

const methods = ['tools/call', 'tools/call', 'tools/list', 'server/discover', 'subscriptions/listen'];
const otherMethods = ['tasks/get', 'resources/read', 'prompts/get', 'ping', 'notifications/cancelled', ''];
const names = tools.flatMap(({ name }) => [name, `s__${name}`]);
const quoted = (texts: readonly string[]) => fc.constantFrom(...texts).map((text) => JSON.stringify(text));
const ids = mostly(fc.constantFrom('1', '2', '"a"', '9007199254740993'));
const params = fc
  .tuple(
    mostly(quoted(names)),
    ids,
    mostly(anyObject),
    mostly(fc.constant(JSON.stringify(envelope()))),
    fc.option(anyJson, { nil: undefined, freq: 3 }),
  )
  .map(([name, requestId, args, meta, more]) =>
    objectOf([
      ['name', name],
      ['arguments', args],
      ['_meta', meta],
      ['requestState', more],
      ['notifications', more],
      ['requestId', requestId],
    ]),
  );
const message = fc
  .record({
    method: fc.constantFrom(...methods, ...methods, ...otherMethods),
    id: ids,
    params: mostly(params),
  })
  .map(({ method, id, params: given }) => ({
    method,
    name: /"name":"([ -~]*?)"/.exec(given ?? '')?.[1],
    text: objectOf([
      ['jsonrpc', '"2.0"'],
      ['id', id],
      ['method', JSON.stringify(method)],
      ['params', given],
    ]),
  }));
const odd = ['', 'x', '0', '=?base64?x?=', '=?base64?YQ==?=', 'a, b', `${'x'.repeat(300)}`, '\u00ff'];
const oddly = (good: readonly string[]) =>
  fc.option(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...good) },
      { weight: 1, arbitrary: fc.constantFrom(...odd) },
    ),
    { nil: undefined, freq: 6 },
  );
const step = fc.record({
  message,
  version: oddly([modern, modern, modern, '2025-11-25', '2027-01-01']),
  accept: oddly(['application/json, text/event-stream', 'application/json', 'text/event-stream', '*/*']),
  type: oddly(['application/json', 'application/json; charset=utf-8', 'text/plain']),
  named: fc.constantFrom('as in the body', 'as in the body', 'as in the body', ...odd, undefined),
  region: fc.option(fc.constantFrom(...odd, 'eu'), { nil: undefined }),
  session: fc.option(fc.constantFrom(...odd), { nil: undefined, freq: 8 }),
  path: fc.constantFrom('', '', '', '/servers/s', '/servers/x', '?protocol=modern', '?names=x', '?compact=1'),
  verb: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT'),
  body: fc.constantFrom('whole', 'whole', 'whole', 'whole', 'cut', 'twice', 'empty', 'list'),
  leaves: fc.constantFrom(
    ...(['never', 'never', 'never', 'never', 'before', 'within', 'after', 'at the answer'] as const),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function headersOf({ message: { method, name }, ...one }: Step): Record<string, string> {
  const repeated = one.named === 'as in the body';
  const given = {
    'mcp-protocol-version': one.version,
    accept: one.accept,
    'content-type': one.type,
    'mcp-method': repeated ? method : one.named,
    'mcp-name': repeated ? name : one.named,
    'mcp-param-region': one.region,
    'mcp-session-id': one.session,
    authorization: `Bearer ${token}`,
  };
  const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
  return Object.fromEntries(Object.entries(given).filter(isSet));
}

function bodyOf({ body, verb, message: { text } }: Step): Buffer {
  // Requests of these methods have no body, so it would be read as the next request.
  if (verb === 'GET' || verb === 'DELETE') return Buffer.alloc(0);
  const line = writeOut(text);
  const bodies = { whole: line, cut: line.slice(0, -1), twice: line + line, empty: '', list: `[${line}]` };
  return Buffer.from(bodies[body as keyof typeof bodies]);
}

const silenceMs = 60_000;

interface Outcome {
  readonly status?: number;
  readonly text?: string;
  readonly error?: Error;
}

/** Sends one request, and closes the connection when the step says so. */
function play(port: number, one: Step): Promise<Outcome> {
  return new Promise((resolve) => {
    const body = bodyOf(one);
    const headers = headersOf(one);
    const request = httpRequest({ port, method: one.verb, path: `/mcp${one.path}`, headers, agent: false });
    request.on('error', (error) => resolve({ error }));
    request.setTimeout(silenceMs, () => request.destroy(new Error('No answer came')));
    if (one.leaves !== 'never') request.on('close', () => resolve({}));
    request.on('response', (response) => {
      if (one.leaves === 'at the answer') request.destroy();
      read(request, response).then(resolve);
    });
    send(request, body, one.leaves);
  });
}

function send(request: ClientRequest, body: Buffer, leaves: Step['leaves']): void {
  const half = body.subarray(0, body.length / 2);
  switch (leaves) {
    case 'before':
      request.flushHeaders();
      request.on('socket', (socket) => socket.on('connect', () => request.destroy()));
      return;
    case 'within':
      request.write(half.length === 0 ? ' ' : half, () => request.destroy());
      return;
    case 'after':
      request.end(body, () => request.destroy());
      return;
    default:
      request.write(half);
      request.end(body.subarray(half.length));
  }
}

/** Reads the answer; the stream of a subscription is left at its first event. */
async function read(request: ClientRequest, response: IncomingMessage): Promise<Outcome> {
  const status = response.statusCode ?? 0;
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.includes('subscriptions/acknowledged')) request.destroy();
    }
    return { status, text };
  } catch (error) {
    return { status, text, error: error as Error };
  }
}

/** The answers in a response: one message, or the messages of a stream without notifications. */
function answersIn(text: string): readonly unknown[] {
  const lines = text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data:'));
  const values = lines.map((line) => parseJson(line.replace(/^data:/, '')) as Record<string, unknown>);
  return values.filter((value) => 'result' in value || 'error' in value);
}

function check(one: Step, { status = 0, text = '', error }: Outcome): void {
  const isLeft = one.leaves !== 'never' || text.includes('subscriptions/acknowledged');
  if (isLeft) return;
  expect(error).toBeUndefined();
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).not.toBe(500);
  if (status === 202 || status === 204) expect(text).toBe('');
  else expect(answersIn(text)).toHaveLength(1);
}

describe('[PB-DUAL-1] [PB-DUAL-4] whatever comes to the HTTP endpoint under the stateless protocol', () => {
  it('is answered once, throws nothing and leaves no session', async () => {
    const { clock, failures, port, sessions, begin, finish } = await hub();
    const steps = fc.array(step, { minLength: 1, maxLength: 8 });
    const property = fc.asyncProperty(steps, async (some) => {
      begin();
      const outcomes: Promise<Outcome>[] = [];
      for (const one of some) {
        outcomes.push(play(port, one));
        await turn();
      }
      // Requests that have not arrived yet are answered at once from now on.
      finish();
      const ended = await Promise.all(outcomes);
      for (const [at, outcome] of ended.entries()) check(some[at] as Step, outcome);
      await until('the end of the sessions', async () => {
        await clock.advance(5 * 60_000);
        return sessions.views().length === 0;
      });
      expect(failures).toEqual([]);
    });
    await fc.assert(property, { seed: 20_261_130, numRuns: Number(process.env.FUZZ_RUNS ?? 600) });
  }, 300_000);
});
