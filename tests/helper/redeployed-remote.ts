import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMcpHandler, McpServer as StatelessServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { httpServer, type TestHttpServer } from './http-server.ts';

/** A program that can be deployed at an address: each made by an official SDK, with one tool that counts its calls. */
export type Deployment = 'sessions' | 'no session ids' | 'stateless';

/** A server elsewhere whose program can be replaced while clients are connected. */
export interface RedeployedRemote extends TestHttpServer {
  deploy(deployment: Deployment): void;
  /** The calls that ran, by what was deployed. */
  readonly ran: readonly Deployment[];
  /** Methods that were asked for, in order. */
  readonly asked: readonly string[];
}

export async function redeployedRemote(first: Deployment): Promise<RedeployedRemote> {
  const ran: Deployment[] = [];
  const asked: string[] = [];
  const programs = {
    sessions: () => withSessions(() => void ran.push('sessions')),
    'no session ids': () => withoutSessionIds(() => void ran.push('no session ids')),
    stateless: () => stateless(() => void ran.push('stateless')),
  };
  let program = programs[first]();
  const web = await httpServer(async (request, response) => {
    request.once('data', (chunk: Buffer) => {
      const method = /"method":"([^"]+)"/.exec(chunk.toString())?.[1];
      if (method !== undefined) asked.push(method);
    });
    request.pause();
    await program(request, response);
  });
  return {
    ...web,
    ran,
    asked,
    deploy: (deployment) => {
      program = programs[deployment]();
    },
  };
}

function withSessions(onRun: () => void): RequestListener {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport = known ?? (await open(onRun, (id, opened) => sessions.set(id, opened)));
    await transport.handleRequest(request, response);
  };
}

async function open(
  onRun: () => void,
  onOpened: (id: string, transport: StreamableHTTPServerTransport) => void,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => onOpened(id, transport),
  });
  await counter(onRun).connect(transport as Transport);
  return transport;
}

function withoutSessionIds(onRun: () => void): RequestListener {
  return async (request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    await counter(onRun).connect(transport as Transport);
    await transport.handleRequest(request, response);
  };
}

function counter(onRun: () => void): McpServer {
  const server = new McpServer({ name: 'counter', version: '1.0.0' });
  server.registerTool('count', {}, () => {
    onRun();
    return { content: [{ type: 'text', text: 'with sessions' }] };
  });
  return server;
}

function stateless(onRun: () => void): RequestListener {
  const handler = createMcpHandler(
    () => {
      const server = new StatelessServer({ name: 'counter', version: '2.0.0' });
      server.registerTool('count', { inputSchema: z.object({}) }, async () => {
        onRun();
        return { content: [{ type: 'text', text: 'stateless' }] };
      });
      return server;
    },
    { legacy: 'reject' },
  );
  return async (request, response) => {
    const body = await bodyOf(request);
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(request.method === 'POST' ? { body } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
