import type { Command } from 'commander';
import { dataDirOption, resolvePath } from './option-values.ts';

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

export function describeSupport(command: Command, onSupport: (args: SupportArgs) => void): void {
  command
    .command('support')
    .description('create a support bundle with secrets masked; read it before you share it')
    .option(...dataDirOption)
    .option('--out <file>', 'write it to this file instead of printing it', resolvePath)
    .action((options: SupportOptions) => onSupport({ kind: 'support', ...options }));
}
