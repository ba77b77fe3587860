import { type Problem, ProblemError } from '../../../../shared/error/problem.ts';
import { systemClock } from '../../base/clock.ts';
import { finishRestore, setupFileNames, writeSetupFile } from '../../store/backup/restore-journal.ts';
import { replaceSetupRows } from '../../store/backup/setup-rows.ts';
import { openDataDir } from '../../store/data-dir.ts';
import { acquireInstanceLock } from '../../store/instance-lock.ts';
import { LossMark } from '../../store/state/loss-mark.ts';
import { createStateDb } from '../../store/state/state-db.ts';
import { openVault } from '../sign-ins.ts';
import { createBackups } from './backups.ts';
import type { BackupEngine } from './contract.ts';

/**
 * Does something with the setup of a data folder that no hub runs on; none can start meanwhile. Rejects with ProblemError,
 * `hub.already_running` while one runs.
 */
export async function offlineBackup<T>(
  dataDir: string,
  version: string,
  env: Readonly<Record<string, string | undefined>>,
  act: (backup: BackupEngine['backup']) => Promise<T>,
): Promise<T> {
  const paths = await openDataDir(dataDir);
  const lock = await acquireInstanceLock(paths.hub, version);
  const clock = systemClock;
  let trouble: Problem | undefined;
  const report = (problem: Problem | undefined) => {
    trouble = problem ?? trouble;
  };
  const mark = new LossMark(paths.state, report);
  const state = createStateDb({
    file: paths.state,
    clock,
    mark,
    report: (_about, problem) => report(problem),
  });
  try {
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
  } catch (error) {
    throw trouble === undefined ? error : new ProblemError(trouble, { cause: error });
  } finally {
    await state.close();
    await lock.release();
  }
}
