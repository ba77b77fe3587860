import { z } from 'zod';
import {
  backupMadeSchema,
  backupPreviewSchema,
  passphraseSchema,
  restoredSchema,
  restoreHowSchema,
} from '../model/backup.ts';
import { type IpcRows, nothing } from './parts.ts';

/** Calls about backups of the whole setup, one row each; see `contract.ts`. */
export const backupCalls = {
  /**
   * Opens a save dialog and writes the file; no file if it was cancelled. Secrets are included only with a
   * passphrase.
   */
  'backup.make': {
    input: z.object({ passphrase: passphraseSchema.optional() }),
    output: backupMadeSchema.extend({ file: z.string() }).or(z.object({})),
  },
  /** Opens a file dialog and reads the file; nothing if it was cancelled. */
  'backup.choose': {
    input: nothing,
    output: z.object({
      chosen: z.object({ id: z.string(), file: z.string(), preview: backupPreviewSchema }).optional(),
    }),
  },
  /** Restores the chosen file. Rejects with `backup.wrong_passphrase`. */
  'backup.restore': {
    input: z.object({
      id: z.string(),
      how: restoreHowSchema,
      passphrase: z.string().max(1_000).optional(),
    }),
    output: restoredSchema,
  },
  'backup.undo': { input: z.object({ undoId: z.string() }), output: nothing },
} as const satisfies IpcRows;
