/** The server with the oddities of the ids in the arguments, over stdio. */
import { createInterface } from 'node:readline';
import { allMutants } from './mutants.mjs';
import { createOddServer } from './odd-server.mjs';

const [, , key, ...ids] = process.argv;
const answer = createOddServer(
  key,
  allMutants().filter(({ id }) => ids.includes(id)),
);
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { texts, delay } = answer(JSON.parse(line));
  setTimeout(() => process.stdout.write(texts.map((text) => `${text}\n`).join('')), delay);
}
