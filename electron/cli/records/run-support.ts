import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import { programVersion } from '../../../shared/version.ts';
import { defaultDataDir, existingDataDir, offlineSupport, writePrivateFile } from '../../engine/engine.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import type { SupportArgs } from './support-args.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay support`; resolves to the exit code. */
export async function runSupport({ dataDir, out }: SupportArgs, env: Environment): Promise<number> {
  try {
    const dir = await existingDataDir(dataDir ?? defaultDataDir(env));
    const text = await offlineSupport(dir, programVersion, env, {});
    if (out === undefined) print(text);
    else await write(out, text);
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

async function write(file: string, text: string): Promise<void> {
  await writePrivateFile(file, text).catch((error: unknown) => {
    const fix = 'Choose another file, or free some space.';
    const reason = toProblem(error).sentence;
    throw new ProblemError(
      problem('app.save_failed', `${file} could not be written.`, fix, { file, reason }),
    );
  });
  print(`Written to ${file}. Secrets are masked; read it before you share it.\n`);
}
