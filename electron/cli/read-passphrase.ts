import { ProblemError, problem } from '../../shared/error/problem.ts';
import { minPassphraseLength } from '../../shared/model/backup.ts';
import { readFileOrPipe } from '../engine/engine.ts';
import { askHidden } from './read-secret.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Asks for the passphrase of a new backup, twice at a terminal. Rejects with ProblemError. */
export async function choosePassphrase(env: Environment): Promise<string> {
  const chosen = await readPassphrase(
    env,
    `Passphrase, at least ${minPassphraseLength} characters (hidden): `,
  );
  if (chosen.length < minPassphraseLength) throw tooShort();
  if (isFromFile(env)) return chosen;
  const again = await askHidden('Confirm passphrase (hidden): ');
  if (again !== chosen) throw different();
  return chosen;
}

/** Reads the passphrase of an existing backup, from a file or at a terminal. */
export async function readPassphrase(env: Environment, question: string): Promise<string> {
  const file = env[passphraseFile];
  if (file !== undefined && file !== '') return (await readFileOrPipe(file, timeoutMs)).replace(/\r?\n$/, '');
  if (process.stdin.isTTY) return askHidden(question);
  const fix = `Run this in a terminal, or set ${passphraseFile} to a file that contains the passphrase.`;
  throw new ProblemError(problem('secret.no_value', 'No passphrase was given.', fix));
}

const passphraseFile = 'PATCHBAY_PASSPHRASE_FILE';

/** Milliseconds to wait for a program that writes the passphrase to a pipe. */
const timeoutMs = 10_000;

function isFromFile(env: Environment): boolean {
  return (env[passphraseFile] ?? '') !== '';
}

function tooShort(): ProblemError {
  const sentence = `The passphrase is shorter than ${minPassphraseLength} characters.`;
  return new ProblemError(
    problem('backup.short_passphrase', sentence, 'Choose a longer one; several words are best.'),
  );
}

function different(): ProblemError {
  const sentence = 'The passphrases do not match.';
  return new ProblemError(problem('backup.short_passphrase', sentence, 'Run the command again.'));
}
