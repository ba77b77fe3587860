import { limitNames } from '../../../../shared/model/limits.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Problems } from '../problem-board.ts';
import type { Limits } from './limits.ts';

/** Reports invalid values as problems of the hub until they are corrected. */
export function reportInvalidLimits(limits: Limits, problems: Problems): Disposable {
  const show = () => {
    // A variable and a setting of the same limit may both be invalid.
    for (let index = 0; index < limitNames.length * 2; index += 1)
      problems.set(`limit ${index}`, limits.problems[index]);
  };
  show();
  return limits.onChange(show);
}
