import type { Command } from 'commander';
import { dataDirOption } from '../terminal/option-values.ts';

/** Checks the config of a data folder. */
export interface CheckArgs {
  readonly kind: 'check';
  readonly dataDir?: string;
}

export function describeCheck(command: Command, onCheck: (args: CheckArgs) => void): void {
  command
    .command('check')
    .description('check the servers in mcp.json without starting any; exit code 1 if something is wrong')
    .option(...dataDirOption)
    .action((options: { readonly dataDir?: string }) => onCheck({ kind: 'check', ...options }));
}
