/**
 * The limit for a program between a Streamable HTTP client and a server on stdio: each POST's body goes to the server
 * with another id, its answer comes back as JSON; nothing is parsed. `forward-http.mjs PORT COMMAND [ARG…]`
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { forwarder, lineWriter } from '../lib/forwarder.mjs';
import { sizeOf } from '../lib/lines.mjs';

const [port, command, ...args] = process.argv.slice(2);
// In a group of its own, as whoever has to end a server's whole tree must start it: the scheduler shares time by group.
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
const toChild = lineWriter(child.stdin);
const forward = forwarder(child, (response, pieces) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': sizeOf(pieces) });
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
  response.uncork();
});

createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const pieces = [];
  request.on('data', (chunk) => pieces.push(chunk));
  request.on('end', () => {
    const hasAnswer = forward(pieces, toChild, response);
    toChild.flush();
    if (!hasAnswer) response.writeHead(202).end();
  });
}).listen(Number(port), '127.0.0.1');
child.once('exit', () => process.exit(0));
process.once('SIGTERM', () => child.stdin.end());
