import { resolve } from 'node:path';
import type { Command } from 'commander';

/** What is asked of the audit log. */
export type AuditArgs = {
  readonly kind: 'audit';
  readonly dataDir?: string;
} & (
  | { readonly verb: 'list'; readonly most: number; readonly json: boolean }
  | { readonly verb: 'export' }
  /** `head`: the hash of a row that is to be in it. */
  | { readonly verb: 'verify'; readonly head?: string }
);

type Usage = { readonly kind: 'usage'; readonly text: string };

interface Options {
  readonly dataDir?: string;
  readonly last?: string;
  readonly json?: boolean;
  readonly head?: string;
}

export function describeAudit(
  command: Command,
  dataDirOption: readonly [flags: string, description: string],
  onAudit: (args: AuditArgs | Usage) => void,
): void {
  const group = command
    .command('audit')
    .description('read the log of what was done and by whom; works with or without a running hub');
  group
    .command('verify')
    .description('prove that no row was changed or taken out; exit code 1 if one was')
    .option(...dataDirOption)
    .option('--head <hash>', 'the hash of a row, noted earlier, that has to be in it')
    .action(({ head, ...options }: Options) =>
      onAudit(withFolder(options, head === undefined ? {} : { head }, 'verify')),
    );
  group
    .command('list')
    .description('print what was done, the newest first')
    .option(...dataDirOption)
    .option('--last <number>', 'only the newest so many', '50')
    .option('--json', 'a JSON object a line')
    .action((options: Options) => onAudit(listArgs(options)));
  group
    .command('export')
    .description('print all of it, a JSON object a line, the oldest first')
    .option(...dataDirOption)
    .action((options: Options) => onAudit(withFolder(options, {}, 'export')));
}

function listArgs({ last, json, ...options }: Options): AuditArgs | Usage {
  const most = Number(last);
  if (!(Number.isInteger(most) && most > 0))
    return { kind: 'usage', text: `error: --last must be a whole number above 0, not "${last}"\n` };
  return withFolder(options, { most, json: json === true }, 'list');
}

function withFolder(
  { dataDir }: Options,
  more: Readonly<Record<string, unknown>>,
  verb: AuditArgs['verb'],
): AuditArgs | Usage {
  if (dataDir === '') return { kind: 'usage', text: 'error: --data-dir needs a folder; it is empty\n' };
  const folder = dataDir === undefined ? {} : { dataDir: resolve(dataDir) };
  // What belongs to each verb is given with it above.
  return { kind: 'audit', verb, ...more, ...folder } as AuditArgs;
}
