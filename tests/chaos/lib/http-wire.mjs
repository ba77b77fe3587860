import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { headersOf } from './stateless.mjs';

/**
 * A client's connection over Streamable HTTP; `isModern` is one without sessions. `onMessage` gets what any stream says. `post` resolves with how the
 * exchange ended: `done`, `refused` (an HTTP error, with its body), or `cut` (the connection ended or never was).
 */
export function openHttp({ port, token, path = '/mcp', isModern = false, onMessage, onStreamEnd }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const streams = new Set();
  /** Requests under way by id. */
  const open = new Map();
  let session;

  function exchange(method, message) {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(isModern && message !== undefined ? headersOf(message) : {}),
      ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    };
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent }, resolve);
      streams.add(sent);
      if (message?.id !== undefined) open.set(message.id, sent);
      sent.once('close', () => {
        streams.delete(sent);
        if (open.get(message?.id) === sent) open.delete(message.id);
      });
      sent.once('error', reject);
      sent.end(message === undefined ? undefined : JSON.stringify(message));
    });
  }

  async function post(message) {
    try {
      const response = await exchange('POST', message);
      const told = response.headers['mcp-session-id'];
      if (typeof told === 'string') session = told;
      return await take(response);
    } catch (error) {
      return { how: 'cut', why: error.code ?? error.message };
    }
  }

  async function take(response) {
    const { statusCode: status, headers } = response;
    if (status >= 400) return takeRefusal(status, await text(response));
    if (headers['content-type']?.startsWith('text/event-stream')) {
      await readEvents(response, (data) => onMessage(JSON.parse(data)));
    } else {
      const body = await text(response);
      if (body !== '') onMessage(JSON.parse(body));
    }
    return { how: 'done' };
  }

  /** Without sessions some errors have a status of their own. */
  function takeRefusal(status, body) {
    if (!isModern || !body.startsWith('{"jsonrpc"')) return { how: 'refused', status, body };
    onMessage(JSON.parse(body));
    return { how: 'done' };
  }

  /** Resolves when the session's own stream stands, or cannot; `onStreamEnd` when it is over. */
  async function listen() {
    const response = await exchange('GET').catch(() => undefined);
    const over = response === undefined ? Promise.resolve() : take(response);
    over.catch(() => {}).then(onStreamEnd);
  }

  return {
    post,
    listen,
    /** Closes the response of a request. */
    abort: (id) => open.get(id)?.destroy(),
    /** Ends the session in order. */
    async leave() {
      if (session !== undefined)
        await exchange('DELETE')
          .then(text)
          .catch(() => {});
    },
    close() {
      for (const stream of streams) stream.destroy();
      agent.destroy();
    },
  };
}

function readEvents(response, onData) {
  let begun = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    const events = (begun + chunk).split('\n\n');
    begun = events.pop();
    for (const event of events) {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data !== '') onData(data);
    }
  });
  return new Promise((resolve, reject) => {
    response.once('end', resolve);
    response.once('error', reject);
    response.once('aborted', () => reject(new Error('aborted')));
  });
}
