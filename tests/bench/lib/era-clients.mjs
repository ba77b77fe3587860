import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpClient } from './http-client.mjs';
import { startNode } from './process.mjs';
import { bodyOf } from './session.mjs';
import { StdioClient } from './stdio-client.mjs';

const prefix = 'io.modelcontextprotocol/';
const clientInfo = { name: 'patchbay-bench', version: '1.0.0' };
const modernVersion = '2026-07-28';

/** Envelope of a request of a client without sessions; elicitation is what parked calls need. */
const envelope = {
  [`${prefix}protocolVersion`]: modernVersion,
  [`${prefix}clientCapabilities`]: { elicitation: { form: {} } },
  [`${prefix}clientInfo`]: clientInfo,
};

/** The bytes of a request after its id, as a client of this era writes it. */
export const eraBody = (era, method, params = {}) =>
  bodyOf(method, era === 'modern' ? { ...params, _meta: envelope } : params);

/** A client of a running hub over HTTP, or through a bridge of its own; `pids` are the programs that it needs. */
export async function openClient(hub, { front, era, bridge }) {
  if (front === 'bridge') {
    const child = startNode(bridge, ['--data-dir', hub.dir, '--names', 'safe']);
    const client = await greeted(new StdioClient(child), era);
    return { client, child, pids: [hub.child.pid, child.pid] };
  }
  const token = (await readFile(join(hub.dir, 'token'), 'utf8')).trim();
  const headers = era === 'modern' ? modernHeaders() : undefined;
  const client = await greeted(new HttpClient({ port: hub.port, token, headers }), era);
  return { client, pids: [hub.child.pid] };
}

async function greeted(client, era) {
  if (era === 'legacy') {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await client.exchange(bodyOf('initialize', params));
    await client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  } else await client.exchange(eraBody(era, 'server/discover'));
  return client;
}

/** Headers that repeat parts of a body; the same bodies are sent again and again. */
function modernHeaders() {
  const known = new Map();
  return (body) => {
    const before = known.get(body);
    if (before !== undefined) return before;
    const { method, params } = JSON.parse(`{"id":0${body}`);
    const name = params.name === undefined ? '' : `Mcp-Name: ${params.name}\r\n`;
    const lines = `MCP-Protocol-Version: ${modernVersion}\r\nMcp-Method: ${method}\r\n${name}`;
    if (known.size < 16) known.set(body, lines);
    return lines;
  };
}
