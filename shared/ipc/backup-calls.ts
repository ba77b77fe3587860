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
  /** Asks where and saves it there; no file where the person does not say. Secrets only with a passphrase. */
  'backup.make': {
    input: z.object({ passphrase: passphraseSchema.optional() }),
    output: backupMadeSchema.extend({ file: z.string() }).or(z.object({})),
  },
  /** Asks for a file and looks into it; nothing where the person does not say. */
  'backup.choose': {
    input: nothing,
    output: z.object({
      chosen: z.object({ id: z.string(), file: z.string(), preview: backupPreviewSchema }).optional(),
    }),
  },
  /** Restores the file that was looked into. Rejects with `backup.wrong_passphrase`. */
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
