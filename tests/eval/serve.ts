/** `npm run eval:serve -- --set NAME [--port N]`: the servers of a set as MCP servers, and the `mcp.json` of a hub that has them. */
import { parseArgs } from 'node:util';
import { serveCorpus } from './lib/corpus-server.ts';
import { dataFolder, readSets } from './lib/sets.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string' },
    port: { type: 'string', default: '0' },
  },
});
const tools = readSets(values.data ?? dataFolder)
  .filter(({ name }) => values.set === undefined || name === values.set)
  .flatMap((set) => set.tools);
const { entries } = await serveCorpus(tools, Number(values.port));
console.log(JSON.stringify({ mcpServers: entries }, undefined, 2));
