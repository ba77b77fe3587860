import { resolve } from 'node:path';
import type { Command } from 'commander';

/** Where a support bundle is to be written. */
export interface SupportArgs {
  readonly kind: 'support';
  readonly dataDir?: string;
  /** A file; printed where there is none. */
  readonly out?: string;
}

interface SupportOptions {
  readonly dataDir?: string;
  readonly out?: string;
}

type Usage = { readonly kind: 'usage'; readonly text: string };

export function describeSupport(
  command: Command,
  dataDirOption: readonly [flags: string, description: string],
  onSupport: (args: SupportArgs | Usage) => void,
): void {
  command
    .command('support')
    .description(
      'put together what is needed to find a fault, with secrets masked; read it before you send it',
    )
    .option(...dataDirOption)
    .option('--out <file>', 'write it there instead of printing it')
    .action((options: SupportOptions) => onSupport(supportArgs(options)));
}

function supportArgs({ dataDir, out }: SupportOptions): SupportArgs | Usage {
  if (dataDir === '') return { kind: 'usage', text: 'error: --data-dir needs a folder; it is empty\n' };
  if (out === '') return { kind: 'usage', text: 'error: --out needs a file; it is empty\n' };
  return {
    kind: 'support',
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
    ...(out === undefined ? {} : { out: resolve(out) }),
  };
}
