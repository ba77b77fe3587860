import type { Engine } from '../../electron/engine/hub/contract.ts';
import type { BackupPreview } from '../../shared/model/backup.ts';

/** Preview of a backup of two servers. */
export const backupPreview: BackupPreview = {
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

/** Backups of an engine that only notes what it was asked for. */
export function fakeBackup(record: (...call: unknown[]) => Promise<void>): Engine['backup'] {
  return {
    make: async ({ passphrase }) => {
      await record('backup.make', passphrase);
      return { text: '{}', servers: 2, secrets: passphrase === undefined ? 0 : 1 };
    },
    preview: async (text) => {
      await record('backup.preview', text);
      return backupPreview;
    },
    restore: async (text, { how, passphrase }) => {
      await record('backup.restore', text, how, passphrase);
      return { undoId: 'undo', before: '/data/backups/before.json', servers: 2, secrets: 0, kept: [] };
    },
    undo: (undoId) => record('backup.undo', undoId),
  };
}
