/** An MCP server on stdio as people write them, on the SDK. `sdk-child.mjs [TOOLS]`, as raw-child.mjs. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listOf, serverInfo } from '../lib/echo-server.mjs';

const tools = listOf(Number(process.argv[2] ?? 1));
const server = new Server(serverInfo, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: 'text', text: params.arguments.text }],
}));
const maxBufferSize = 128 * 1024 * 1024;
await server.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize }));
process.stdin.on('end', () => process.exit(0));
