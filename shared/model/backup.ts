import { z } from 'zod';

/** Minimum length of the passphrase that encrypts secrets in a backup. */
export const minPassphraseLength = 8;

/** Maximum size of a backup file in bytes. */
export const maxBackupBytes = 64 * 1024 * 1024;

export const passphraseSchema = z.string().min(minPassphraseLength).max(1_000);

/** `replace` discards the present setup; `merge` keeps it and adds what is missing. */
export const restoreHowSchema = z.enum(['replace', 'merge']);
export type RestoreHow = z.infer<typeof restoreHowSchema>;

/** A server in a backup, compared with the server of the same name here. */
export const backupServerSchema = z.object({
  key: z.string(),
  /** Command or address, secrets masked. */
  display: z.string(),
  state: z.enum(['new', 'same', 'different']),
  /** True for a server from a bundle, which the backup does not contain. */
  bundled: z.boolean(),
});
export type BackupServer = Readonly<z.infer<typeof backupServerSchema>>;

/** Contents of a backup, compared with the present setup before anything is written. */
export const backupPreviewSchema = z.object({
  madeAt: z.number(),
  /** Version of the Patchbay that made it. */
  madeBy: z.string(),
  servers: z.array(backupServerSchema).readonly(),
  /** Servers here that the backup does not contain: `replace` removes them. */
  gone: z.array(z.string()).readonly(),
  settings: z.enum(['same', 'different']),
  profiles: z.number(),
  /** Number of clients and agents whose access it contains. */
  identities: z.number(),
  /** Number of approved or blocked tools. */
  approvals: z.number(),
  secrets: z.enum(['none', 'encrypted', 'of-this-computer']),
});
export type BackupPreview = Readonly<z.infer<typeof backupPreviewSchema>>;

/** Counts of a saved backup. */
export const backupMadeSchema = z.object({ servers: z.number(), secrets: z.number() });
export type BackupMade = Readonly<z.infer<typeof backupMadeSchema>>;

/** Result of a restore. */
export const restoredSchema = z.object({
  undoId: z.string(),
  /** Backup file of the previous setup. */
  before: z.string(),
  servers: z.number(),
  /** Number of secrets written. */
  secrets: z.number(),
  /** Settings that could not be restored, each with the reason as text. */
  kept: z.array(z.string()).readonly(),
});
export type Restored = Readonly<z.infer<typeof restoredSchema>>;

/** Default file name of a backup made on that day. */
export function defaultBackupName(at: Date): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `patchbay-backup-${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}.json`;
}
