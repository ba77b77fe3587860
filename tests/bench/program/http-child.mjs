/** raw-child.mjs behind Streamable HTTP, for programs that reach servers over HTTP only. `http-child.mjs PORT` */
import { createServer } from 'node:http';
import { answerTo, listOf } from '../lib/echo-server.mjs';

const tools = listOf(1);

createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const pieces = [];
  request.on('data', (chunk) => pieces.push(chunk));
  request.on('end', () => {
    const answer = answerOf(JSON.parse(Buffer.concat(pieces).toString('utf8')));
    if (answer === undefined) return void response.writeHead(202).end();
    const body = Buffer.from(JSON.stringify(answer));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
}).listen(Number(process.argv[2]), '127.0.0.1');

function answerOf(message) {
  const { id, method, params } = message;
  if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools } };
  if (method !== 'tools/call') return answerTo(message);
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: params.arguments.text }] } };
}
