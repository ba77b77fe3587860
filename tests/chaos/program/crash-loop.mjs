/** A server that ends by itself a moment after each handshake. `crash-loop.mjs FILE` adds a byte to it at each start. */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { answerTo } from '../../bench/lib/echo-server.mjs';

appendFileSync(process.argv[2], '.');
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const answer = answerTo(message);
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (message.method === 'notifications/initialized') setTimeout(() => process.exit(1), 50);
});
