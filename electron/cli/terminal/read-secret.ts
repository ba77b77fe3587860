import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { maxSecretLength } from '../../../shared/model/hub/secret.ts';
import { shellWord } from '../../../shared/shell-word.ts';

/**
 * Reads a value from standard input, without its final line break; at a terminal it asks for it without echo.
 */
export async function readSecret(name: string): Promise<string> {
  const value = process.stdin.isTTY
    ? await askHidden(`Value of ${name} (hidden): `)
    : toValue(await readAll(process.stdin));
  if (value.length > maxSecretLength) throw tooLong();
  if (value.includes('\0'))
    throw invalidValue('The value contains a NUL character, which environment variables cannot hold.');
  if (value !== '') return value;
  const fix = `Pass it on standard input, for example: patchbay secret set ${shellWord(name)} < file`;
  throw new ProblemError(problem('secret.no_value', 'No value was given.', fix));
}

/** Bytes that are not UTF-8 would be stored as a different value. */
function toValue(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw invalidValue('The value is not UTF-8 text.');
  }
}

async function readAll(input: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw tooLong();
  }
  return Buffer.concat(chunks);
}

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const maxBytes = 3 * maxSecretLength + 2;

function tooLong(): ProblemError {
  return invalidValue(`It is longer than ${maxSecretLength} characters.`);
}

function invalidValue(why: string): ProblemError {
  const fix =
    'Keep long or binary values in a file and store its path, or encode the value, for example with base64.';
  return new ProblemError(problem('secret.invalid_value', `The value cannot be stored. ${why}`, fix));
}

/** Asks at the terminal without echoing the input. */
export async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
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
