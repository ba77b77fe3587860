import { z } from 'zod';

/** Fewest characters of the passphrase that secrets in a backup are encrypted with. */
export const leastPassphrase = 8;

/** Bytes of the largest backup that is read. */
export const mostBackupBytes = 64 * 1024 * 1024;

export const passphraseSchema = z.string().min(leastPassphrase).max(1_000);

/** Either the whole present setup gives way, or it stays and gets what it lacks. */
export const restoreHowSchema = z.enum(['replace', 'merge']);
export type RestoreHow = z.infer<typeof restoreHowSchema>;

/** A server of a backup beside the one of its name here. */
export const backupServerSchema = z.object({
  key: z.string(),
  /** Command or address, secrets masked. */
  display: z.string(),
  state: z.enum(['new', 'same', 'different']),
  /** True for a server of a bundle, which is not part of a backup. */
  bundled: z.boolean(),
});
export type BackupServer = Readonly<z.infer<typeof backupServerSchema>>;

/** Contents of a backup, compared with the present setup before anything is written. */
export const backupPreviewSchema = z.object({
  madeAt: z.number(),
  /** Version of the Patchbay that made it. */
  madeBy: z.string(),
  servers: z.array(backupServerSchema).readonly(),
  /** Servers here that it does not hold: replacing everything removes them. */
  gone: z.array(z.string()).readonly(),
  settings: z.enum(['same', 'different']),
  profiles: z.number(),
  /** Clients and agents whose access it holds. */
  identities: z.number(),
  /** Tools that were approved or blocked. */
  approvals: z.number(),
  secrets: z.enum(['none', 'encrypted', 'of-this-computer']),
});
export type BackupPreview = Readonly<z.infer<typeof backupPreviewSchema>>;

/** A backup that was saved. */
export const backupMadeSchema = z.object({ servers: z.number(), secrets: z.number() });
export type BackupMade = Readonly<z.infer<typeof backupMadeSchema>>;

/** A backup that was restored. */
export const restoredSchema = z.object({
  undoId: z.string(),
  /** File with the setup as it was before. */
  before: z.string(),
  servers: z.number(),
  /** Secrets that were written. */
  secrets: z.number(),
  /** Settings that could not be taken over, with the reason in words. */
  kept: z.array(z.string()).readonly(),
});
export type Restored = Readonly<z.infer<typeof restoredSchema>>;

/** The usual name of a backup of that day. */
export function backupName(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `patchbay-backup-${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.json`;
}
