import type { Command } from 'commander';
import { dataDirOption, resolvePath } from './option-values.ts';

/** Makes or restores a backup of the whole setup. */
export type BackupArgs =
  | {
      readonly kind: 'backup';
      readonly dataDir?: string;
      /** If absent, the file is named after today's date and lies in the current folder. */
      readonly file?: string;
      readonly secrets: boolean;
    }
  | {
      readonly kind: 'restore';
      readonly dataDir?: string;
      readonly file: string;
      readonly merge: boolean;
      /** Skips the confirmation. */
      readonly yes: boolean;
      /** Leaves out the secrets in the backup. */
      readonly withoutSecrets: boolean;
    };

interface Options {
  readonly dataDir?: string;
  readonly secrets?: boolean;
  readonly merge?: boolean;
  readonly yes?: boolean;
}

/** A passphrase is never an argument: other users of the machine can read those. */
export function describeBackup(command: Command, onBackup: (args: BackupArgs) => void): void {
  const want = ({ dataDir }: Options, args: BackupArgs) =>
    onBackup(dataDir === undefined ? args : { ...args, dataDir });
  const passphrase =
    '\nA passphrase is asked for at the terminal, or read from the file that PATCHBAY_PASSPHRASE_FILE names.';
  command
    .command('backup')
    .argument('[file]', 'where to save it (default: patchbay-backup-DATE.json in this folder)', resolvePath)
    .description('back up servers, settings, profiles and access in one file')
    .option(...dataDirOption)
    .option('--secrets', 'include stored secrets and sign-ins, encrypted with a passphrase')
    .addHelpText('after', passphrase)
    .action((file: string | undefined, options: Options) =>
      want(options, {
        kind: 'backup',
        secrets: options.secrets === true,
        ...(file === undefined ? {} : { file }),
      }),
    );
  command
    .command('restore')
    .argument('<file>', 'a backup', resolvePath)
    .description('restore a backup; shows what it holds and asks first')
    .option(...dataDirOption)
    .option('--merge', 'add what is missing and keep everything else; without it, everything is replaced')
    .option('--no-secrets', 'leave out the secrets in the backup')
    .option('--yes', 'do not ask')
    .addHelpText('after', passphrase)
    .action((file: string, options: Options) =>
      want(options, {
        kind: 'restore',
        file,
        merge: options.merge === true,
        yes: options.yes === true,
        withoutSecrets: options.secrets === false,
      }),
    );
}
