import { type Problem, ProblemError } from '../../../../shared/error/problem.ts';
import { systemClock } from '../../base/clock.ts';
import { openDataDir } from '../files/data-dir.ts';
import { acquireInstanceLock } from '../files/instance-lock.ts';
import { LossMark } from './loss-mark.ts';
import { createStateDb } from './state-db.ts';

/** A data folder without a running hub, with its database open. */
export interface OfflineState {
  readonly paths: Awaited<ReturnType<typeof openDataDir>>;
  readonly clock: typeof systemClock;
  readonly mark: LossMark;
  readonly state: ReturnType<typeof createStateDb>;
}

/**
 * Opens the state of a hub that is not running, and keeps one from starting meanwhile. Rejects with
 * ProblemError: `hub.already_running` if a hub is running, or the database problem if there was one.
 */
export async function withOfflineState<T>(
  dataDir: string,
  version: string,
  act: (offline: OfflineState) => Promise<T>,
): Promise<T> {
  const paths = await openDataDir(dataDir);
  const lock = await acquireInstanceLock(paths.hub, version);
  const clock = systemClock;
  let databaseProblem: Problem | undefined;
  const report = (problem: Problem | undefined) => {
    databaseProblem = problem ?? databaseProblem;
  };
  const mark = new LossMark(paths.state, report);
  const state = createStateDb({
    file: paths.state,
    clock,
    mark,
    report: (_about, problem) => report(problem),
  });
  try {
    return await act({ paths, clock, mark, state });
  } catch (error) {
    throw databaseProblem === undefined ? error : new ProblemError(databaseProblem, { cause: error });
  } finally {
    await state.close();
    await lock.release();
  }
}
