/**
 * The reference server of the official conformance suite, on the SDK: the tools, prompts and resources its scenarios
 * of both eras ask for. On stdio; with `--http` or `--sse` on a free loopback port, whose URL is its first line.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { serveSse, serveStreamableHttp } from './http.mjs';
import { registerPrompts } from './prompts.mjs';
import { registerChanges, registerQuestions } from './questions.mjs';
import { registerResources } from './resources.mjs';
import { registerTools } from './tools.mjs';

if (process.argv.includes('--http')) process.stdout.write(`${await serveStreamableHttp(createServer)}\n`);
else if (process.argv.includes('--sse')) process.stdout.write(`${await serveSse(createServer)}\n`);
else await createServer().connect(new StdioServerTransport());

/** One a session: the SDK's servers cannot be shared. */
function createServer() {
  const info = { name: 'patchbay-conformance-reference', version: '1.0.0' };
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  };
  const server = new McpServer(info, { capabilities });
  registerTools(server);
  registerResources(server);
  registerPrompts(server);
  registerQuestions(server);
  registerChanges(server);
  return server;
}
