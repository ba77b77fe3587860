/**
 * A minimal aggregator on the SDK, as one writes it in an hour, for comparison. `plain-aggregator.mjs CONFIG`
 */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const SEPARATOR = '__';
const maxBufferSize = 128 * 1024 * 1024;
const { mcpServers } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

async function connect([key, { command, args }]) {
  const client = new Client({ name: 'plain', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, maxBufferSize }));
  return [key, client];
}

const clients = new Map(await Promise.all(Object.entries(mcpServers).map(connect)));
const server = new Server({ name: 'plain', version: '1.0.0' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, async () => {
  const lists = await Promise.all(
    [...clients].map(async ([key, client]) => {
      const { tools } = await client.listTools();
      return tools.map((tool) => ({ ...tool, name: `${key}${SEPARATOR}${tool.name}` }));
    }),
  );
  return { tools: lists.flat() };
});

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const [key, ...name] = params.name.split(SEPARATOR);
  const client = clients.get(key);
  if (client === undefined) throw new Error(`Unknown tool: ${params.name}`);
  return client.callTool({ name: name.join(SEPARATOR), arguments: params.arguments });
});

await server.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize }));
process.stdin.on('end', async () => {
  await Promise.all([...clients.values()].map((client) => client.close()));
  process.exit(0);
});
