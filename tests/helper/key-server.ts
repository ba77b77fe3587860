import { httpServer, readJson, sendJson } from './http-server.ts';

/** A remote server of one tool that lets in only those who send `<scheme> <key>` in a header, and publishes no sign-in. */
export async function keyServer({ key = 'the-right-key', header = 'Authorization', scheme = 'Bearer' } = {}) {
  const wanted = scheme === '' ? key : `${scheme} ${key}`;
  const server = await httpServer(async (request, response) => {
    const sent = request.headers[header.toLowerCase()];
    if (request.url?.startsWith('/.well-known/') === true) return sendJson(response, 404);
    if (sent === undefined) return sendJson(response, 401, { error: missingWords(header) });
    if (sent !== wanted) return sendJson(response, 401, { error: `Unknown key: ${sent}` });
    if (request.method !== 'POST') return sendJson(response, 405);
    const { id, method } = (await readJson(request)) as { id?: number; method: string };
    if (id === undefined) return sendJson(response, 202);
    sendJson(response, 200, { jsonrpc: '2.0', id, result: answers[method] ?? {} });
  });
  return { url: server.url, key, [Symbol.asyncDispose]: () => server.stop() };
}

function missingWords(header: string): string {
  return header === 'Authorization' ? 'API key missing' : `Send your key in the ${header} header`;
}

const answers: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'acme', version: '1' },
  },
  'tools/list': { tools: [{ name: 'find_order', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'found' }] },
};
