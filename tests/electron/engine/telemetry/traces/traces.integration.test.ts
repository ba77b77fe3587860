import { describe, expect, it } from 'vitest';
import type { LogLevel } from '../../../../../electron/engine/base/logger.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { httpServer, readJson } from '../../../../helper/http-server.ts';
import { fixture, nodeEntry } from '../../../../helper/programs.ts';
import { restOf } from '../../../../helper/rest.ts';
import { type Hub, isConnected, startHub, textOf } from '../../../../helper/running-hub.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A request to a collector: OTLP over HTTP as JSON. */
interface Delivery {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<Span, 'attributes'> & { readonly attributes: readonly Attribute[] })[];
    }[];
  }[];
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number };
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

async function collector() {
  const spans: Span[] = [];
  const resources: unknown[] = [];
  const headers: unknown[] = [];
  let text = '';
  const server = await httpServer(async (request, response) => {
    const body = (await readJson(request)) as Delivery;
    text += JSON.stringify(body);
    headers.push([request.url, request.headers['x-key']]);
    for (const { resource, scopeSpans } of body.resourceSpans) {
      resources.push(valuesOf(resource.attributes));
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: valuesOf(span.attributes) });
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  return { spans, resources, headers, text: () => text, server };
}

async function traced(url: string, more: object = {}): Promise<{ hub: Hub; logged: [LogLevel, string][] }> {
  const logged: [LogLevel, string][] = [];
  const env = {
    ...process.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(url).origin,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary-of-the-collector',
    OTEL_SERVICE_NAME: 'hub of ann',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    ...more,
  };
  const hub = await startHub(
    { it: nodeEntry(fixture('tricky')) },
    {
      ports: {
        env: async () => env,
        logger: {
          log: (level, message, data) => void logged.push([level, `${message} ${JSON.stringify(data)}`]),
        },
      },
    },
  );
  await isConnected(hub, 'it');
  return { hub, logged };
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentId}-01`;

describe('traces', () => {
  it("[REQ-MCP-OBS-001] [PB-PASS-1] each call is a span under its client's span, whose context its server gets unchanged; spans contain no arguments or results", async () => {
    const { spans, resources, headers, text, server } = await collector();
    await using _server = server;
    const { hub, logged } = await traced(server.url);
    await using _hub = hub;
    await using client = await hub.bridge('cursor');
    const call = (name: string, more = {}) =>
      client.callTool({ name, arguments: { word: 'canary-of-arguments' }, ...more }).catch((error) => error);
    const received = await call('it__received', { _meta: { traceparent, tracestate: 'a=1' } });
    expect(JSON.parse(textOf(received) ?? '')).toMatchObject({ _meta: { traceparent, tracestate: 'a=1' } });
    const plain = JSON.parse(textOf(await call('it__received')) ?? '');
    expect(plain._meta?.traceparent).toBeUndefined();
    await call('it__fail');
    await call('it__refuse');
    await call('it__canary-of-names');
    await hub.engine.stop();
    await eventually(() => expect(spans).toHaveLength(5));
    const idOf = ({ attributes }: Span) => Number(attributes['jsonrpc.request.id']);
    spans.sort((one, other) => idOf(one) - idOf(other));

    const common = {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'jsonrpc.request.id': expect.any(String),
    };
    const ofServer = { ...common, 'patchbay.server.key': 'it', 'patchbay.attempts': 1 };
    const serverSpan = 2;
    expect(spans).toMatchObject([
      {
        name: 'tools/call received',
        traceId,
        parentSpanId: parentId,
        kind: serverSpan,
        status: { code: 0 },
        attributes: { ...ofServer, 'gen_ai.tool.name': 'received', 'patchbay.outcome': 'ok' },
      },
      { name: 'tools/call received' },
      {
        name: 'tools/call fail',
        status: { code: 2 },
        attributes: {
          ...ofServer,
          'patchbay.outcome': 'error',
          'error.type': '-32603',
          'rpc.response.status_code': '-32603',
        },
      },
      {
        name: 'tools/call refuse',
        status: { code: 2 },
        attributes: { 'patchbay.outcome': 'ok', 'error.type': 'tool_error' },
      },
      {
        name: 'tools/call',
        attributes: { ...common, 'patchbay.outcome': 'refused', 'error.type': 'call.unknown_tool' },
      },
    ]);
    expect(spans[1]?.traceId).not.toBe(traceId);
    expect(spans[1]?.parentSpanId ?? '').toBe('');
    expect(resources[0]).toMatchObject({ 'service.name': 'hub of ann', 'service.version': '0.0.0-test' });
    expect(headers[0]).toEqual(['/v1/traces', 'canary-of-the-collector']);
    expect(text()).not.toContain('canary-of');
    expect(JSON.stringify(logged)).not.toContain('canary-of');
  });

  it("[REQ-MCP-OBS-001] [API-1] a call over REST is a child of the request's span, and passes it on", async () => {
    const { spans, server } = await collector();
    await using _server = server;
    const { hub } = await traced(server.url);
    await using _hub = hub;
    const rest = await restOf(hub);
    const { body: agent } = await rest('POST', '/api/v1/identities', { name: 'job' });
    await hub.engine.run('access.grant', {
      identityId: agent.identity.id,
      effect: 'allow',
      scope: { kind: 'all' },
    });
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(`${rest.base}/api/v1/tools/call`, {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ server_id: 'it', name: 'received' }),
      });
      return JSON.parse((await answer.json()).content[0].text);
    };
    expect((await ask({ traceparent }))._meta).toMatchObject({ traceparent });
    expect((await ask({ traceparent: '00-0-0-01' }))._meta?.traceparent).toBeUndefined();
    await eventually(() => expect(spans).toHaveLength(2));
    expect(spans[0]).toMatchObject({ traceId, parentSpanId: parentId });
    expect(spans[1]?.traceId).not.toBe(traceId);
  });

  it('[PB-LOAD-1] [REQ-MCP-OBS-001] a call that ends before a slow login shell has reported the endpoint becomes a span, too', async () => {
    const { spans, server } = await collector();
    await using _server = server;
    let say = () => {};
    const told = new Promise<void>((resolve) => {
      say = resolve;
    });
    const whole = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: new URL(server.url).origin };
    const ports = { inherited: process.env, env: () => told.then(() => whole) };
    await using hub = await startHub({}, { ports });
    await using client = await hub.bridge('cursor');
    await expect(client.callTool({ name: 'no_such_tool' })).rejects.toThrow();
    say();
    await hub.engine.stop();
    await eventually(() => expect(spans).toMatchObject([{ name: 'tools/call' }]));
  });

  it('[REQ-MCP-OBS-001] an unreachable collector is logged once and affects neither calls nor the stop of the hub', async () => {
    const gone = await httpServer(() => {});
    await gone.stop();
    const { hub, logged } = await traced(gone.url, { OTEL_EXPORTER_OTLP_TIMEOUT: '50' });
    await using _hub = hub;
    await using client = await hub.bridge('cursor');
    const told = () => logged.filter(([, message]) => message.includes('Traces'));
    for (let round = 0; round < 3; round += 1)
      expect(textOf(await client.callTool({ name: 'it__argv' }))).toBe('[]');
    await eventually(() => expect(told()).toHaveLength(1));
    for (let round = 0; round < 3; round += 1) await client.callTool({ name: 'it__argv' });
    await client.close();
    await hub.engine.stop();
    expect(told()).toEqual([['warn', expect.stringContaining('Traces do not reach 127.0.0.1')]]);
    expect(JSON.stringify(logged)).not.toContain('canary-of');
  });
});
