import type { IpcInput } from '../../../shared/ipc/contract.ts';
import type { BackupPreview } from '../../../shared/model/hub/backup.ts';

/** Fakes backups: one that is saved, and one with secrets that is restored. */
export function fakeBackup() {
  return {
    'app.saveBackup': ({ passphrase }: IpcInput<'app.saveBackup'>) => ({
      file: '/home/me/patchbay-backup-2026-11-29.json',
      servers: 5,
      secrets: passphrase === undefined ? 0 : 3,
    }),
    'app.chooseBackup': () => ({
      chosen: { id: '1', file: '/home/me/patchbay-backup-2026-11-28.json', preview: backupPreview },
    }),
    'app.restoreBackup': ({ passphrase }: IpcInput<'app.restoreBackup'>) => ({
      undoId: 'restore-1',
      before: '/home/me/.patchbay/backups/patchbay-before-restore-2026-11-29T01-20-00-000Z.json',
      servers: 2,
      secrets: passphrase === undefined ? 0 : 3,
      kept: [],
    }),
    'backup.undo': () => undefined,
  };
}

/** Preview of a backup of two servers. */
const backupPreview: BackupPreview = {
  madeAt: Date.UTC(2026, 10, 28, 9, 30),
  madeBy: '0.1.0',
  servers: [
    { key: 'github', display: 'npx -y @acme/github-mcp', state: 'new', bundled: false },
    { key: 'files', display: 'npx -y @acme/files /home/me', state: 'same', bundled: false },
  ],
  gone: ['old'],
  settings: 'different',
  profiles: 1,
  identities: 2,
  approvals: 12,
  secrets: 'encrypted',
};
