import type { Engine } from '../../electron/engine/hub/contract.ts';
import { Limits } from '../../electron/engine/hub/limits/limits.ts';

/** The limits of a fake engine: real ones, which tell what was chosen. */
export function fakeLimits(record: (...call: unknown[]) => Promise<void>): Engine['limits'] {
  const limits = new Limits();
  return {
    list: () => limits.list(),
    choose: (chosen) => {
      void record('limits.choose', chosen);
      limits.choose(chosen);
    },
    chosenWith: (name, value) => limits.chosenWith(name, value),
    onChange: limits.onChange,
  };
}
