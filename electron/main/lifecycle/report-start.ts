import type { Problem } from '../../../shared/error/problem.ts';
import { startReportVariable } from '../../../shared/model/start-report.ts';
import { redactProblem } from '../../engine/engine.ts';

export interface StartReporter {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Nobody sees the app: it was started without a window, and nobody has asked for one since. */
  readonly isUnseen: () => boolean;
  readonly write: (text: string) => void;
  readonly exit: (code: number) => void;
}

/**
 * An app whose hub cannot start shows why in its window. Where a bridge has started it and nobody sees it, it tells the
 * bridge, whose client is told in turn, and makes room for the next try; `true` if so.
 */
export function reportToBridge(failure: Problem, { env, isUnseen, write, exit }: StartReporter): boolean {
  if (env[startReportVariable] !== 'json' || !isUnseen()) return false;
  write(`${JSON.stringify(redactProblem(failure))}\n`);
  exit(1);
  return true;
}
