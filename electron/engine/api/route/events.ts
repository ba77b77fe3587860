import type { Disposable } from '../../base/emitter.ts';
import type { ApiCaller, ApiPorts } from '../contract.ts';
import { type ApiEvent, EventLog } from '../event/event-log.ts';
import { EventStream } from '../event/event-stream.ts';
import { watchEngine } from '../event/watch-hub.ts';
import { ApiError } from '../http/api-error.ts';
import { defineRoute } from '../http/define-route.ts';
import type { ApiApp } from './api-app.ts';
import { maySee } from './tools.ts';

const streamRoute = defineRoute({
  tags: ['events'],
  method: 'get',
  path: '/api/v1/events',
  summary: 'Live events, as server-sent events.',
  description:
    'mcp.tool_registered, mcp.invocation_completed, mcp.circuit_opened and mcp.server_state_changed, each with JSON data. Last-Event-ID resumes the stream after that event if it is still known; otherwise stream.reset comes first. An identity receives events about its own calls and about tools that it may call.',
  responses: {
    200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
  },
});

/** Dispose it to close all streams. */
export function eventRoutes(app: ApiApp, ports: ApiPorts): Disposable {
  const log = new EventLog();
  const watch = watchEngine(ports, log);
  /** Open streams with their callers. */
  const streams = new Map<EventStream, ApiCaller>();
  const accessEnded = ports.onEnded((id) => {
    for (const [stream, caller] of [...streams])
      if (caller.kind === 'identity' && caller.id === id) stream.dispose();
  });
  app.openapi(streamRoute, (context) => {
    if (streams.size >= maxStreams) throw tooMany();
    const caller = context.get('caller');
    const stream = new EventStream({
      log,
      clock: ports.clock,
      maySee: (event) => mayReceive(ports, caller, event),
      after: context.req.header('last-event-id'),
      onEnd: (ended) => streams.delete(ended),
    });
    if (!stream.isOver) streams.set(stream, caller);
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    return new Response(stream.body, { headers });
  });
  return {
    dispose() {
      watch.dispose();
      accessEnded.dispose();
      for (const stream of [...streams.keys()]) stream.dispose();
      log.dispose();
    },
  };
}

const maxStreams = 100;

function mayReceive(ports: ApiPorts, caller: ApiCaller, { type, about }: ApiEvent): boolean {
  if (caller.kind === 'admin') return true;
  const { serverKey, tool, identityId } = about;
  if (type === 'mcp.invocation_completed') return identityId === caller.id;
  if (tool !== undefined) return maySee(ports, caller, serverKey, tool);
  const tools = ports.hub.tools().filter((one) => one.serverKey === serverKey);
  return tools.some(({ name }) => maySee(ports, caller, serverKey, name));
}

function tooMany(): ApiError {
  const sentence = `${maxStreams} event streams are already open.`;
  return new ApiError(503, 'ServiceUnavailableError', 'too_many_streams', sentence, { retryAfter: 10 });
}
