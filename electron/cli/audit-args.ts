import { type Command, InvalidArgumentError } from 'commander';
import { dataDirOption, maxRows, wholeNumber } from './option-values.ts';

/** A command on the audit log. */
export type AuditArgs = {
  readonly kind: 'audit';
  readonly dataDir?: string;
} & (
  | { readonly verb: 'list'; readonly most: number; readonly json: boolean }
  | { readonly verb: 'export' }
  /** `head` is the hash of a row that must be in the log. */
  | { readonly verb: 'verify'; readonly head?: string }
);

interface Options {
  readonly dataDir?: string;
  readonly last?: number;
  readonly json?: boolean;
  readonly head?: string;
}

export function describeAudit(command: Command, onAudit: (args: AuditArgs) => void): void {
  const group = command
    .command('audit')
    .description('read the audit log; works whether Patchbay is running or not');
  group
    .command('verify')
    .description('check that no row was changed or removed; exit code 1 if one was')
    .option(...dataDirOption)
    .option('--head <hash>', 'hash of an earlier row that must be in the log', hash)
    .action(({ head, ...options }: Options) =>
      onAudit(auditArgs(options, head === undefined ? {} : { head }, 'verify')),
    );
  group
    .command('list')
    .description('print audit entries, newest first')
    .option(...dataDirOption)
    .option('--last <number>', 'only the newest entries, this many', wholeNumber(1, maxRows), 50)
    .option('--json', 'one JSON object per line')
    .action(({ last: most = 50, json, ...options }: Options) =>
      onAudit(auditArgs(options, { most, json: json === true }, 'list')),
    );
  group
    .command('export')
    .description('print the whole log, oldest first, one JSON object per line')
    .option(...dataDirOption)
    .action((options: Options) => onAudit(auditArgs(options, {}, 'export')));
}

/** Any other text is in no log, so verify would report a removed row. */
function hash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a hash printed by verify: 64 digits and letters from a to f.');
}

function auditArgs(
  { dataDir }: Options,
  more: Readonly<Record<string, unknown>>,
  verb: AuditArgs['verb'],
): AuditArgs {
  const folder = dataDir === undefined ? {} : { dataDir };
  // The fields of each verb are passed with it above.
  return { kind: 'audit', verb, ...more, ...folder } as AuditArgs;
}
