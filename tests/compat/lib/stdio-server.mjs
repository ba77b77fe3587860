/** The mutant of the number in the arguments, over stdio. */
import { createInterface } from 'node:readline';
import { allMutants } from './mutants.mjs';
import { createOddServer } from './odd-server.mjs';

const [, , key, index] = process.argv;
const answer = createOddServer(key, allMutants()[Number(index)]);
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { texts, delay } = answer(JSON.parse(line));
  setTimeout(() => process.stdout.write(texts.map((text) => `${text}\n`).join('')), delay);
}
