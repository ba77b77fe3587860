/** A server that frames what it writes in the way that its argument names, and reads lines. */
import { createInterface } from 'node:readline';
import { framings } from './framed.mjs';

const frame = framings[process.argv[2]];
const serverInfo = { name: 'framed', version: '1.0.0' };
const long = 'é'.repeat(100_000);
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
  'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': {
    content: [{ type: 'text', text: 'said' }],
    structuredContent: { nested: [{ long }, { a: {} }] },
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(frame({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}
