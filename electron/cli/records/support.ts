import type { Command } from 'commander';
import { toProblem } from '../../../shared/error/problem.ts';
import { programVersion } from '../../../shared/version.ts';
import {
  defaultDataDir,
  existingDataDir,
  offlineSupport,
  unsavedFile,
  writePrivateFile,
} from '../../engine/engine.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption, resolvePath } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';

/** Writes a support bundle. */
export interface SupportArgs {
  readonly kind: 'support';
  readonly dataDir?: string;
  /** The file to write to; if absent, the bundle is printed. */
  readonly out?: string;
}

interface SupportOptions {
  readonly dataDir?: string;
  readonly out?: string;
}

export const supportCommand: CliCommand<SupportArgs> = { describe: describeSupport, run: runSupport };

function describeSupport(command: Command, onSupport: (args: SupportArgs) => void): void {
  command
    .command('support')
    .description('create a support bundle with secrets masked; read it before you share it')
    .option(...dataDirOption)
    .option('--out <file>', 'write it to this file instead of printing it', resolvePath)
    .action((options: SupportOptions) => onSupport({ kind: 'support', ...options }));
}

/** Runs `patchbay support`; resolves to the exit code. */
async function runSupport({ dataDir, out }: SupportArgs, env: Environment): Promise<number> {
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
    throw unsavedFile(file, error);
  });
  print(`Written to ${file}. Secrets are masked; read it before you share it.\n`);
}
