import type { Command } from 'commander';
import { dataDirOption, place } from './option-values.ts';

/** A backup of the whole setup, made or restored. */
export type BackupArgs =
  | {
      readonly kind: 'backup';
      readonly dataDir?: string;
      /** Absent for a file of the day's name in this folder. */
      readonly file?: string;
      readonly secrets: boolean;
    }
  | {
      readonly kind: 'restore';
      readonly dataDir?: string;
      readonly file: string;
      readonly merge: boolean;
      /** Nobody is asked. */
      readonly yes: boolean;
      /** Secrets of the backup stay out. */
      readonly withoutSecrets: boolean;
    };

interface Options {
  readonly dataDir?: string;
  readonly secrets?: boolean;
  readonly merge?: boolean;
  readonly yes?: boolean;
}

/** A passphrase is never taken as an argument: others on the machine can read those. */
export function describeBackup(command: Command, onBackup: (args: BackupArgs) => void): void {
  const want = ({ dataDir }: Options, args: BackupArgs) =>
    onBackup(dataDir === undefined ? args : { ...args, dataDir });
  const passphrase =
    '\nA passphrase is asked for at the terminal, or read from the file that PATCHBAY_PASSPHRASE_FILE names.';
  command
    .command('backup')
    .argument('[file]', 'where to save it (default: patchbay-backup-DATE.json in this folder)', place)
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
    .argument('<file>', 'a backup', place)
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
