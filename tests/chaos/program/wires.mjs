import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** Speaks JSON-RPC in lines. */
export function speakStdio({ answer }, onHangUp) {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const said = await answer(JSON.parse(line), send);
    if (said !== undefined) send(said);
  });
  lines.on('close', onHangUp);
}

/** Speaks Streamable HTTP: each POST is answered with JSON, or with an event stream where more is said than that. */
export function speakHttp({ answer, gone }, port) {
  const sessions = new Set();
  const server = createServer(async (request, response) => {
    const { method, headers } = request;
    const session = headers['mcp-session-id'];
    if (session !== undefined && !sessions.has(session)) return response.writeHead(404).end();
    if (method !== 'POST') return response.writeHead(method === 'DELETE' ? 200 : 405).end();
    const message = JSON.parse(await text(request));
    if (message.method === 'initialize') {
      const id = randomUUID();
      sessions.add(id);
      response.setHeader('mcp-session-id', id);
    }
    // Without sessions a closed response cancels.
    response.once('close', () => response.writableFinished || gone?.(message));
    await respond(response, message, answer);
  });
  server.listen(port, '127.0.0.1');
}

async function respond(response, message, answer) {
  const event = (said) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`;
  const send = (said) => {
    if (response.writableEnded) return;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(said));
  };
  const said = await answer(message, send);
  if (response.headersSent) return response.end(said === undefined ? '' : event(said));
  if (said === undefined) return response.writeHead(202).end();
  const body = JSON.stringify({ jsonrpc: '2.0', ...said });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}
