import { toProblem } from '../../shared/error/problem.ts';
import { printableWord } from '../engine/base/printable.ts';
import { type ConfigCheck, checkConfig, defaultDataDir, existingDataDir } from '../engine/engine.ts';
import type { CheckArgs } from './check-args.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay check`; resolves to the exit code: 1 if a server cannot be used. */
export async function runCheck(args: CheckArgs, env: Environment): Promise<number> {
  try {
    const check = await checkConfig(await existingDataDir(args.dataDir ?? defaultDataDir(env)), env);
    print(checkText(check));
    return check.faults.length === 0 ? 0 : 1;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

function checkText({ file, servers, faults, warnings }: ConfigCheck): string {
  const lineOf = (kind: string) => (found: ConfigCheck['faults'][number]) =>
    `${kind}: ${found.key === undefined ? '' : `${printableWord(found.key)}: `}${problemText(found.problem)}`;
  const count = servers.length === 1 ? '1 server' : `${servers.length} servers`;
  const verdict = faults.length === 0 ? 'nothing wrong' : `${faults.length} wrong`;
  return [
    ...faults.map(lineOf('error')),
    ...warnings.map(lineOf('warning')),
    `${file}: ${count}, ${verdict}.`,
    '',
  ].join('\n');
}
