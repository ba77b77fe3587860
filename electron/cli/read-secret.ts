import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ProblemError, problem } from '../../shared/error/problem.ts';

/** A value from standard input, without the line break that ends it; at a terminal it is asked for and not shown. */
export async function readSecret(name: string): Promise<string> {
  const value = process.stdin.isTTY ? await ask(name) : (await text(process.stdin)).replace(/\r?\n$/, '');
  if (value !== '') return value;
  const fix = `Hand it over on standard input, for example: patchbay secret set ${name} < file`;
  throw new ProblemError(problem('secret.no_value', 'There was no value to store.', fix));
}

async function ask(name: string): Promise<string> {
  process.stderr.write(`Value of ${name} (it is not shown): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve) => {
      reader.once('line', resolve);
      reader.once('close', () => resolve(''));
    });
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
