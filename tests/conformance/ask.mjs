/**
 * The suite's client: `ask.mjs PORT URL` has the program on that port of this machine use the server at the URL, and
 * ends as it says.
 */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

const [, , port, url] = process.argv;
const asked = request({ host: '127.0.0.1', port, method: 'POST' }, async (answer) => {
  process.stderr.write(await text(answer));
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
});
asked.end(JSON.stringify({ url, context: process.env.MCP_CONFORMANCE_CONTEXT ?? '{}' }));
