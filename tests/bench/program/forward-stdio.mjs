/**
 * The limit for a program between a client and a server on stdio: lines in, another id in place of the client's, lines
 * out, and the same backwards; nothing is parsed. `forward-stdio.mjs COMMAND [ARG…]`
 */
import { spawn } from 'node:child_process';
import { forwarder, lineWriter } from '../lib/forwarder.mjs';
import { lineSplitter } from '../lib/lines.mjs';

const [command, ...args] = process.argv.slice(2);
// In a group of its own, as whoever has to end a server's whole tree must start it: the scheduler shares time by group.
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
const toClient = lineWriter(process.stdout);
const toChild = lineWriter(child.stdin);
const forward = forwarder(child, (_context, pieces) => toClient.line(pieces), toClient.flush);
const split = lineSplitter((pieces) => forward(pieces, toChild));

process.stdin.on('data', (chunk) => {
  split(chunk);
  toChild.flush();
});
process.stdin.on('end', () => child.stdin.end());
child.once('exit', () => process.exit(0));
