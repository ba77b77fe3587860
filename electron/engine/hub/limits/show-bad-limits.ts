import { limitNames } from '../../../../shared/model/limits.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { ProblemBoard } from '../problem-board.ts';
import type { Limits } from './limits.ts';

/** Values that cannot be used are problems of the hub, each until it is corrected. */
export function showBadLimits(limits: Limits, problems: ProblemBoard): Disposable {
  const show = () => {
    // A variable and a setting of one name may both be bad.
    for (let index = 0; index < limitNames.length * 2; index += 1)
      problems.set(`limit ${index}`, limits.problems[index]);
  };
  show();
  return limits.onChange(show);
}
