import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import { type BackupPreview, defaultBackupName, type Restored } from '../../../shared/model/hub/backup.ts';
import { printableWord } from '../../../shared/printable.ts';
import { shellWord } from '../../../shared/shell-word.ts';
import { programVersion } from '../../../shared/version.ts';
import {
  absolutePath,
  type Backups,
  dataPaths,
  defaultDataDir,
  existingDataDir,
  offlineBackup,
  readBackupText,
  unsavedFile,
  withCommandNote,
  writePrivateFile,
} from '../../engine/engine.ts';
import { openHubChannel } from '../hub/hub-channel.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption, resolvePath } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { choosePassphrase, readPassphrase } from '../terminal/read-passphrase.ts';

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

export const backupCommand: CliCommand<BackupArgs> = { describe: describeBackup, run: runBackup };

/** A passphrase is never an argument: other users of the machine can read those. */
function describeBackup(command: Command, onBackup: (args: BackupArgs) => void): void {
  const want = ({ dataDir }: Options, args: BackupArgs) =>
    onBackup(dataDir === undefined ? args : { ...args, dataDir });
  const passphrase =
    '\nThe passphrase is typed at a prompt, or read from the file that PATCHBAY_PASSPHRASE_FILE names.';
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
    .description('restore a backup; shows its contents and asks first')
    .option(...dataDirOption)
    .option('--merge', 'add what is missing and keep everything else; without it, everything is replaced')
    .option('--no-secrets', 'do not restore the secrets in the backup')
    .option('--yes', 'restore without asking')
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

type Backup = Pick<Backups, 'make' | 'preview' | 'restore'>;
type RestoreArgs = Extract<BackupArgs, { kind: 'restore' }>;

/**
 * Runs `patchbay backup` and `patchbay restore`, through the running hub or offline; resolves to the exit
 * code.
 */
async function runBackup(args: BackupArgs, env: Environment): Promise<number> {
  try {
    return args.kind === 'backup' ? await backUp(args, env) : await restore(args, env);
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

async function backUp(
  { dataDir, file, secrets }: Extract<BackupArgs, { kind: 'backup' }>,
  env: Environment,
): Promise<number> {
  const dir = await existingDataDir(dataDir ?? defaultDataDir(env));
  const target = file ?? absolutePath(defaultBackupName(new Date()));
  const passphrase = secrets ? await choosePassphrase(env) : undefined;
  const made = await withBackup(dir, env, (backup) => backup.make({ passphrase }));
  await writePrivateFile(target, made.text).catch((error: unknown) => {
    throw unsavedFile(target, error);
  });
  const contents = secrets ? ` and ${formatCount(made.secrets, 'secret')}` : ', no stored secrets';
  print(`Saved as ${target}: ${formatCount(made.servers, 'server')}${contents}.\n`);
  return 0;
}

async function restore(args: RestoreArgs, env: Environment): Promise<number> {
  const dir = args.dataDir ?? defaultDataDir(env);
  const text = await readBackupText(args.file);
  const preview = await withBackup(dir, env, (backup) => backup.preview(text));
  print(previewText(preview, args));
  const isLocked = preview.secrets === 'encrypted' && !args.withoutSecrets;
  const passphrase = isLocked ? await readPassphrase(env, 'Backup passphrase (hidden): ') : undefined;
  if (!args.yes && !(await isConfirmed(args))) {
    print('Nothing was restored.\n');
    return 1;
  }
  const options = { how: args.merge ? 'merge' : 'replace', passphrase } as const;
  const restored = await withBackup(dir, env, (backup) => backup.restore(text, options));
  print(restoredText(restored, args.dataDir));
  return 0;
}

/** Uses the running hub, which owns the setup; without one, the data folder. */
async function withBackup<T>(dir: string, env: Environment, act: (backup: Backup) => Promise<T>): Promise<T> {
  const hub = await openHubChannel(dir).catch((error: unknown) => {
    if (toProblem(error).code === 'hub.unreachable') return undefined;
    throw error;
  });
  if (hub === undefined)
    return offlineBackup(dir, programVersion, env, (backup) => act(audited(backup, dir)));
  try {
    return await act({
      make: (options) => hub.ask('backup.make', options),
      preview: (text) => hub.ask('backup.preview', { text }),
      restore: (text, options) => hub.ask('backup.restore', { text, ...options }),
    });
  } finally {
    await hub.close();
  }
}

function audited(backup: Backup, dir: string): Backup {
  const paths = dataPaths(dir);
  return {
    ...backup,
    make: (options) => withCommandNote(paths, { kind: 'hub', action: 'back-up' }, () => backup.make(options)),
    restore: (text, options) =>
      withCommandNote(paths, { kind: 'hub', action: 'restore-backup', text: options.how }, () =>
        backup.restore(text, options),
      ),
  };
}

function localTime(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Shows commands before they can run. */
function previewText(preview: BackupPreview, { merge, withoutSecrets }: RestoreArgs): string {
  const { servers, gone, settings, profiles, identities, approvals, secrets, madeAt, madeBy } = preview;
  const marks = { new: '+', same: '=', different: merge ? '=' : '~' } as const;
  const lines = [
    `Backup of ${localTime(madeAt)} (Patchbay ${printableWord(madeBy)})`,
    ...servers.map(
      ({ key, state, display, bundled }) =>
        `  ${marks[state]} ${printableWord(key)}  ${printableWord(display)}${bundled ? '  (bundle not in the backup: add the bundle again)' : ''}`,
    ),
    ...(merge ? [] : gone.map((key) => `  - ${printableWord(key)}  is removed`)),
    `  ${formatCount(profiles, 'profile')}, access of ${formatCount(identities, 'client')}, ${formatCount(approvals, 'reviewed tool')}`,
    `  settings: ${merge ? 'stay as they are' : settings === 'same' ? 'the same' : 'different'}`,
    `  secrets: ${secrets === 'none' ? 'none' : withoutSecrets ? 'not restored' : 'restored too'}`,
  ];
  return `${lines.join('\n')}\n`;
}

async function isConfirmed({ merge }: RestoreArgs): Promise<boolean> {
  if (!process.stdin.isTTY) {
    const fix = 'Run it in a terminal, or add --yes to confirm.';
    throw new ProblemError(
      problem('secret.no_value', 'This command needs a terminal to ask for confirmation.', fix),
    );
  }
  const question = merge
    ? 'Add what is missing, and run the servers marked +? [y/N] '
    : 'Replace the whole setup, and run the servers marked + and ~? [y/N] ';
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question(question)).trim());
  } finally {
    reader.close();
  }
}

function restoredText({ servers, secrets, before, kept }: Restored, dataDir: string | undefined): string {
  const place = dataDir === undefined ? '' : ` --data-dir ${shellWord(dataDir)}`;
  const lines = [
    `Restored: ${formatCount(servers, 'server')} and ${formatCount(secrets, 'secret')}.`,
    ...kept,
    `To go back, run: patchbay restore ${shellWord(before)}${place}`,
  ];
  return `${lines.join('\n')}\n`;
}
