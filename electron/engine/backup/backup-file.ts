import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { ProblemError } from '../../../shared/error/problem.ts';
import { parseJson } from '../../../shared/json.ts';
import { maxBackupBytes, minPassphraseLength } from '../../../shared/model/hub/backup.ts';
import { digestOf } from '../base/digest.ts';
import { readRegularFile } from '../store/files/regular-file.ts';
import { type OpenSecret, openSecretsSchema } from '../store/files/secret-vault.ts';
import {
  backupTooLarge,
  changedBackup,
  fileKindOf,
  newerBackup,
  notABackup,
  setupTooLarge,
  shortPassphrase,
  unreadableFile,
  unusableBackup,
} from './backup-problems.ts';
import { decryptSecrets, encryptedSecretsSchema, encryptSecrets } from './backup-secrets.ts';
import { type Setup, setupFilesSchema, setupRowsSchema, validRows } from './setup.ts';

/** Format of the file; a file with a higher format comes from a later version of Patchbay. */
const format = 1;

const contentSchema = z.object({
  madeAt: z.int().min(0).max(8_640_000_000_000_000),
  madeBy: z.string().max(100),
  files: setupFilesSchema,
  rows: setupRowsSchema,
  /** Servers that run from a bundle in the data folder; the bundle itself is not in the file. */
  bundled: z.array(z.string()),
  /**
   * Text of `secrets.json`, usable on this machine only; set only in the copy that a restore makes of the
   * previous state.
   */
  vault: z.string().optional(),
});

const fileSchema = z.object({
  patchbayBackup: z.literal(format),
  ...contentSchema.shape,
  secrets: encryptedSecretsSchema.optional(),
  /** SHA-256 of everything else. */
  digest: z.string(),
});

type Content = z.infer<typeof contentSchema>;

/** A backup as read, except for its secrets. */
export interface Backup extends Omit<Content, 'vault' | 'files' | 'rows'>, Setup {
  readonly hasSecrets: boolean;
  /** Decrypts its secrets; rejects with `backup.wrong_passphrase` or `backup.changed`. */
  open(passphrase: string): Promise<BackupSecrets>;
}

/** The secrets, if the backup was made with them. */
export interface BackupSecrets {
  readonly secrets: readonly OpenSecret[];
  /** Hashes of agents' own tokens, by id. */
  readonly tokens: Readonly<Record<string, string>>;
}

const secretsSchema = z.object({
  secrets: openSecretsSchema,
  tokens: z.record(z.string(), z.string().max(200)),
});

interface BackupContent {
  readonly setup: Setup;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly bundled: readonly string[];
  readonly secrets?: { readonly values: BackupSecrets; readonly passphrase: string } | undefined;
}

/** Returns the text of a backup file. It contains secrets only if they are given, with a passphrase. */
export async function backupText({
  setup,
  madeAt,
  madeBy,
  bundled,
  secrets,
}: BackupContent): Promise<string> {
  const { files, rows, vault } = setup;
  const content = contentSchema.parse({ madeAt, madeBy, files, rows, bundled, vault });
  if (secrets === undefined) return fileText({ patchbayBackup: format, ...content });
  const { values, passphrase } = secrets;
  if (passphrase.length < minPassphraseLength) throw new ProblemError(shortPassphrase(minPassphraseLength));
  // Secrets can only be decrypted together with the exact setup they were saved with.
  const closed = await encryptSecrets(JSON.stringify(values), passphrase, digestOf(content));
  return fileText({ patchbayBackup: format, ...content, secrets: closed });
}

/** Reads the text of a file that may be a backup; rejects with `backup.unreadable`. */
export async function readBackupText(file: string): Promise<string> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > maxBackupBytes) throw new ProblemError(backupTooLarge(maxBackupBytes / 1024 / 1024));
  try {
    return await readRegularFile(file);
  } catch (error) {
    throw new ProblemError(unreadableFile(file, error), { cause: error });
  }
}

/** Throws ProblemError: `backup.unreadable`, `backup.newer`, `backup.changed`. */
export function readBackup(text: string): Backup {
  if (Buffer.byteLength(text) > maxBackupBytes)
    throw new ProblemError(backupTooLarge(maxBackupBytes / 1024 / 1024));
  const value = parseJson(text);
  const head = z.looseObject({ patchbayBackup: z.int() }).safeParse(value);
  if (!head.success) throw new ProblemError(notABackup(fileKindOf(text, value)));
  if (head.data.patchbayBackup > format) throw new ProblemError(newerBackup(head.data.patchbayBackup));
  const { digest, ...rest } = head.data;
  if (digest !== digestIfShallow(rest)) throw new ProblemError(changedBackup());
  const read = fileSchema.safeParse(value);
  if (!read.success) throw new ProblemError(unusableBackup(read.error.issues[0]?.path.join('.') ?? 'file'));
  const { patchbayBackup: _form, digest: _digest, secrets, ...content } = read.data;
  const { patchbayBackup: _number, secrets: _closed, ...all } = rest;
  // Includes members that only other versions know.
  const bound = digestOf(all);
  return {
    ...content,
    rows: validRows(content.rows),
    hasSecrets: secrets !== undefined,
    async open(passphrase) {
      if (secrets === undefined) return { secrets: [], tokens: {} };
      const opened = secretsSchema.safeParse(parseJson(await decryptSecrets(secrets, passphrase, bound)));
      if (!opened.success) throw new ProblemError(unusableBackup('secrets'));
      return opened.data;
    },
  };
}

function fileText(file: Readonly<Record<string, unknown>>): string {
  const text = `${JSON.stringify({ ...file, digest: digestOf(file) }, undefined, 1)}\n`;
  if (Buffer.byteLength(text) > maxBackupBytes)
    throw new ProblemError(setupTooLarge(maxBackupBytes / 1024 / 1024));
  return text;
}

/** Returns undefined for a value nested too deep to be serialized. */
function digestIfShallow(value: unknown): string | undefined {
  try {
    return digestOf(value);
  } catch {
    return undefined;
  }
}
