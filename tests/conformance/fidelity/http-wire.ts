import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { memberOf } from './fixture/raw-json.mjs';
import { createLineSplitter } from './line-splitter.ts';
import type { RawWire } from './wire.ts';

/** Headers of a stateless request, which repeat parts of its body. */
function modernHeaders(text: string): Record<string, string> {
  const params = memberOf(text, 'params') ?? '{}';
  const method = JSON.parse(memberOf(text, 'method') ?? '""');
  const named = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }[method as string];
  const name = named === undefined ? undefined : JSON.parse(memberOf(params, named) ?? '""');
  const encoded = `=?base64?${Buffer.from(String(name)).toString('base64')}?=`;
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': encoded }),
  };
}

/**
 * Streamable HTTP by hand: each message is a POST, what comes back on any stream is handed on as written. Without
 * sessions for the era `modern`.
 */
export function httpWire(
  url: string,
  token: string,
  knownSession?: string,
  era: 'legacy' | 'modern' = 'legacy',
): RawWire {
  const open = new Set<ClientRequest>();
  let listener: (text: string) => void = () => {};
  let sessionId = knownSession;

  function exchange(method: 'GET' | 'POST' | 'DELETE', body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(era === 'modern' && body !== undefined ? modernHeaders(body) : {}),
        ...(sessionId === undefined
          ? {}
          : { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' }),
      };
      const sent = request(url, { method, headers, agent: false }, resolve);
      open.add(sent);
      sent.once('close', () => open.delete(sent));
      sent.once('error', reject);
      sent.end(body);
    });
  }

  async function send(text: string): Promise<void> {
    const response = await exchange('POST', text);
    const told = response.headers['mcp-session-id'];
    if (typeof told === 'string') sessionId = told;
    await take(response);
    if (text.includes('"notifications/initialized"')) await take(await exchange('GET'));
  }

  /** An event stream is read as it comes; anything else has come to its end when this resolves. */
  async function take(response: IncomingMessage): Promise<void> {
    const type = response.headers['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) return void readEvents(response, (data) => listener(data));
    const body = await readText(response);
    // Refused at the door, which is the whole answer to this exchange; without sessions in a message.
    const isMessage = type.startsWith('application/json') && memberOf(body, 'jsonrpc') !== undefined;
    if (era === 'modern' && isMessage) return listener(body);
    if ((response.statusCode ?? 0) >= 400) throw new Error(`HTTP ${response.statusCode}: ${body}`);
    if (isMessage) listener(body);
  }

  return {
    send,
    receive: (next) => {
      listener = next;
    },
    async [Symbol.asyncDispose]() {
      if (sessionId !== undefined) await readText(await exchange('DELETE')).catch(() => {});
      for (const sent of open) sent.destroy();
    },
  };
}

function readEvents(response: IncomingMessage, event: (data: string) => void): void {
  let data: string[] = [];
  const split = createLineSplitter((written) => {
    const line = written.endsWith('\r') ? written.slice(0, -1) : written;
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) return;
    const whole = data.join('\n');
    data = [];
    // An event without text only says where a stream can be taken up again.
    if (whole !== '') event(whole);
  });
  response.on('data', split);
  response.on('error', () => {});
}
