import { resolve } from 'node:path';
import type { Command } from 'commander';

/** Of which data folder the config is to be judged. */
export interface CheckArgs {
  readonly kind: 'check';
  readonly dataDir?: string;
}

type Usage = { readonly kind: 'usage'; readonly text: string };

export function describeCheck(
  command: Command,
  dataDirOption: readonly [flags: string, description: string],
  onCheck: (args: CheckArgs | Usage) => void,
): void {
  command
    .command('check')
    .description('judge the servers in mcp.json, and start none; exit code 1 if something is wrong')
    .option(...dataDirOption)
    .action(({ dataDir }: { readonly dataDir?: string }) => onCheck(checkArgs(dataDir)));
}

function checkArgs(dataDir: string | undefined): CheckArgs | Usage {
  if (dataDir === '') return { kind: 'usage', text: 'error: --data-dir needs a folder; it is empty\n' };
  return { kind: 'check', ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }) };
}
