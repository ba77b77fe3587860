import type { Command } from 'commander';
import { toProblem } from '../../../shared/error/problem.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import { printableWord } from '../../../shared/printable.ts';
import { type ConfigCheck, checkConfig, defaultDataDir, existingDataDir } from '../../engine/engine.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';

/** Checks the config of a data folder. */
export interface CheckArgs {
  readonly kind: 'check';
  readonly dataDir?: string;
}

export const checkCommand: CliCommand<CheckArgs> = { describe: describeCheck, run: runCheck };

function describeCheck(command: Command, onCheck: (args: CheckArgs) => void): void {
  command
    .command('check')
    .description('check the servers in mcp.json without starting them; exit code 1 if there are problems')
    .option(...dataDirOption)
    .action((options: { readonly dataDir?: string }) => onCheck({ kind: 'check', ...options }));
}

/** Runs `patchbay check`; resolves to the exit code: 1 if a server cannot be used. */
async function runCheck(args: CheckArgs, env: Environment): Promise<number> {
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
  const count = formatCount(servers.length, 'server');
  const verdict = faults.length === 0 ? 'no problems' : formatCount(faults.length, 'problem');
  return [
    ...faults.map(lineOf('error')),
    ...warnings.map(lineOf('warning')),
    `${file}: ${count}, ${verdict}.`,
    '',
  ].join('\n');
}
