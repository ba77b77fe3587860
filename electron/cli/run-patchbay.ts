import { toProblem } from '../../shared/error/problem.ts';
import { programVersion } from '../../shared/version.ts';
import { parsePatchbayArgs } from './patchbay-args.ts';
import type { Environment } from './terminal/cli-command.ts';
import { print, printError } from './terminal/print.ts';
import { problemText } from './terminal/problem-text.ts';
import { watchOutput } from './terminal/watch-output.ts';

/** Runs `patchbay`; resolves to the exit code: 0, 1 (start failure) or 2 (usage). */
export async function runPatchbay(argv: readonly string[], env: Environment): Promise<number> {
  const line = parsePatchbayArgs(argv, programVersion);
  if (line.kind === 'run' && line.args.kind === 'serve') return runLine(line, env);
  const ended = watchOutput();
  if (line.kind === 'run') return ended(await runLine(line, env));
  if (line.kind === 'print') print(line.text);
  else printError(line.text);
  return ended(line.kind === 'print' ? 0 : 2);
}

type RunLine = Extract<ReturnType<typeof parsePatchbayArgs>, { kind: 'run' }>;

/** Reports a failure that the command itself does not expect. */
async function runLine(line: RunLine, env: Environment): Promise<number> {
  try {
    return await line.run(env);
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}
