import { openVault } from '../secrets/sign-ins.ts';
import { withOfflineState } from '../store/db/offline-state.ts';
import { createBackups } from './backups.ts';
import type { Backups } from './contract.ts';
import { finishRestore, setupFileNames, writeSetupFile } from './restore-journal.ts';
import { replaceSetupRows } from './setup-rows.ts';

/**
 * Works on the setup of a data folder on which no hub runs, and keeps hubs from starting meanwhile. Rejects
 * with ProblemError, `hub.already_running` while one runs.
 */
export async function offlineBackup<T>(
  dataDir: string,
  version: string,
  env: Readonly<Record<string, string | undefined>>,
  act: (backup: Backups) => Promise<T>,
): Promise<T> {
  return withOfflineState(dataDir, version, async ({ paths, clock, mark, state }) => {
    await finishRestore(paths);
    const vault = openVault({ ports: {}, paths, env, clock });
    const backup = createBackups({
      paths,
      vault,
      state,
      clock,
      version,
      flush: async () => undefined,
      applyRows: async ({ rows }) => {
        await replaceSetupRows(state, rows);
        await mark.clear();
      },
      async applyFiles(setup) {
        for (const name of setupFileNames) await writeSetupFile(paths, setup, name);
        return [];
      },
    });
    return await act(backup);
  });
}
