import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Params & { readonly _meta?: Params };
  readonly error?: { readonly code: number };
}

/** A request of the suite that the program has not answered. */
interface Open {
  readonly id: string | number;
  readonly token: unknown;
  readonly response: ServerResponse;
}

/**
 * Puts the stateless form of HTTP before one program on stdio, for the suite, which speaks HTTP only. Ids are
 * numbered anew, since the suite uses the same ones again and again.
 */
export async function startModernShim(
  command: string,
  args: readonly string[],
): Promise<{ readonly url: string } & AsyncDisposable> {
  const program = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const open = new Map<number, Open>();
  let lastId = 0;

  createInterface({ input: program.stdout }).on('line', (line) => receive(JSON.parse(line) as Message));
  const server = createServer((request, response) => {
    post(request, response).catch(() => response.destroy());
  });

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request)) return void response.writeHead(403).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
    const { id } = message;
    if (id === undefined) return void response.writeHead(202).end();
    lastId += 1;
    const number = lastId;
    open.set(number, { id, token: message.params?._meta?.progressToken, response });
    program.stdin.write(`${JSON.stringify({ ...message, id: number })}\n`);
    response.on('close', () => {
      if (!open.delete(number)) return;
      const params = { requestId: number };
      program.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`,
      );
    });
  }

  function receive(message: Message): void {
    if (message.method === undefined) {
      answer(message);
      return;
    }
    const meta = message.params?._meta ?? {};
    const listen = meta['io.modelcontextprotocol/subscriptionId'];
    const [, to] =
      [...open].find(([number]) => number === listen) ??
      [...open].find(([, { token }]) => token !== undefined && token === message.params?.progressToken) ??
      [...open].at(-1) ??
      [];
    if (to === undefined) return;
    const own =
      listen === undefined
        ? message
        : {
            ...message,
            params: {
              ...message.params,
              _meta: { ...meta, 'io.modelcontextprotocol/subscriptionId': to.id },
            },
          };
    if (!to.response.headersSent) to.response.writeHead(200, { 'content-type': 'text/event-stream' });
    to.response.write(`data: ${JSON.stringify(own)}\n\n`);
  }

  function answer(message: Message): void {
    const known = open.get(Number(message.id));
    if (known === undefined) return;
    open.delete(Number(message.id));
    const body = JSON.stringify({ ...message, id: known.id });
    if (known.response.headersSent) known.response.end(`data: ${body}\n\n`);
    else
      known.response
        .writeHead(statusOf(message.error?.code), { 'content-type': 'application/json' })
        .end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const exited = once(program, 'exit');
      program.stdin.end();
      await exited;
    },
  };
}

function statusOf(code: number | undefined): number {
  if (code === -32601) return 404;
  return code !== undefined && code <= -32020 && code >= -32022 ? 400 : 200;
}

function isLocal({ headers: { host = '', origin } }: IncomingMessage): boolean {
  const local = /^(localhost|127\.0\.0\.1)(:\d+)?$/;
  return local.test(host) && (origin === undefined || local.test(origin.replace(/^https?:\/\//, '')));
}
