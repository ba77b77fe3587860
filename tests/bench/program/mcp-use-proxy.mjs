/** The proxy that the library `mcp-use` offers, over one server on stdio; runs beside the installed library. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MCPServer } from 'mcp-use';

const [port, key, command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'bench', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args, maxBufferSize: 128 * 1024 * 1024 }));

const server = new MCPServer({ name: 'bench', version: '1.0.0' });
await server.proxy({
  info: { server: { name: key } },
  supports: (capability) => capability === 'tools',
  listTools: async () => (await client.listTools()).tools,
  callTool: (name, given, options) => client.callTool({ name, arguments: given }, options),
  listPrompts: async () => [],
  getPrompt: () => Promise.reject(new Error('none')),
  listAllResources: async () => ({ resources: [] }),
  readResource: () => Promise.reject(new Error('none')),
});
await server.listen(Number(port), { host: '127.0.0.1' });
