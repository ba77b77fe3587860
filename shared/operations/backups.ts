import { z } from 'zod';
import {
  backupMadeSchema,
  backupPreviewSchema,
  passphraseSchema,
  restoredSchema,
  restoreHowSchema,
} from '../model/hub/backup.ts';
import { hubNote, operation } from './operation.ts';
import { nothing, undoId } from './parts.ts';

/** Operations on backups of the whole setup. The text of a backup never reaches the window. */
export const backupOperations = {
  /** Returns the text of a backup; it contains secrets only with a passphrase. */
  'backup.make': operation({
    input: z.object({ passphrase: passphraseSchema.optional() }),
    output: backupMadeSchema.extend({ text: z.string() }),
    doors: ['cli'],
    audit: ({ passphrase }) => [hubNote('back-up', passphrase === undefined ? undefined : 'With secrets.')],
  }),
  'backup.preview': operation({
    input: z.object({ text: z.string() }),
    output: backupPreviewSchema,
    doors: ['cli'],
  }),
  /** Rejects with `backup.wrong_passphrase`. */
  'backup.restore': operation({
    input: z.object({
      text: z.string(),
      how: restoreHowSchema,
      passphrase: z.string().max(1_000).optional(),
    }),
    output: restoredSchema,
    doors: ['cli'],
    audit: ({ how }) => [hubNote('restore-backup', how)],
  }),
  'backup.undo': operation({
    input: undoId,
    output: nothing,
    doors: ['window'],
    audit: () => [hubNote('undo-restore-backup')],
  }),
};
