import type { Problem } from '../../../shared/error/problem.ts';
import { startReportVariable } from '../../../shared/model/start-report.ts';
import { redactProblem } from '../../engine/engine.ts';

export interface StartReporter {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if the app was started without a window and none has been opened since. */
  readonly hasNoWindow: () => boolean;
  readonly write: (text: string) => void;
  readonly exit: (code: number) => void;
}

/**
 * An app whose hub cannot start shows the reason in its window. If a bridge started it and there is no
 * window, it reports the failure to the bridge, which tells its client, and exits to allow another try;
 * returns `true` in that case.
 */
export function reportToBridge(
  failure: Problem,
  { env, hasNoWindow: isUnseen, write, exit }: StartReporter,
): boolean {
  if (env[startReportVariable] !== 'json' || !isUnseen()) return false;
  write(`${JSON.stringify(redactProblem(failure))}\n`);
  exit(1);
  return true;
}
