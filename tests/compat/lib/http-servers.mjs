import { once } from 'node:events';
import { createServer } from 'node:http';
import { createOddServer } from './odd-server.mjs';

/**
 * All odd servers in one HTTP server on loopback: `/KEY/mcp` speaks Streamable HTTP, `/KEY/sse` the older SSE transport.
 *
 * @param {ReadonlyMap<string, readonly import('./mutants.mjs').Mutant[]>} mutants by key
 */
export async function startHttpServers(mutants) {
  const answerers = new Map([...mutants].map(([key, some]) => [key, createOddServer(key, some)]));
  const streams = new Map();
  const server = createServer(async (request, response) => {
    const [, key, place] = (request.url ?? '').split('/');
    const answer = answerers.get(key);
    if (answer === undefined) return void response.writeHead(404).end();
    if (request.method === 'GET' && place === 'sse') return openStream(key, response);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const answered = answer(JSON.parse(await bodyOf(request)));
    if (answered.silent) return;
    setTimeout(() => (place === 'sse' ? viaStream : direct)(key, answered.texts, response), answered.delay);
  });

  function openStream(key, response) {
    streams.set(key, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: /${key}/sse\n\n`);
  }

  function viaStream(key, texts, response) {
    response.writeHead(202).end();
    for (const text of texts) streams.get(key)?.write(`event: message\ndata: ${text}\n\n`);
  }

  function direct(_key, texts, response) {
    if (texts.length === 0) return void response.writeHead(202).end();
    if (texts.length === 1)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(texts[0]);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(texts.map((text) => `event: message\ndata: ${text}\n\n`).join(''));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: (key, way) => `http://127.0.0.1:${server.address().port}/${key}/${way === 'sse' ? 'sse' : 'mcp'}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
