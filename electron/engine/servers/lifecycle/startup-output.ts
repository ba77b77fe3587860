import type { Disposable } from '../../base/emitter.ts';
import type { Supervisor } from '../contract.ts';

/** Notifies of the output of programs while they start, in the batches of their logs. */
export function followStartupOutput(
  supervisor: Pick<Supervisor, 'onState'>,
  onChange: (key: string) => void,
): Disposable {
  const followed = new Map<string, Disposable>();
  const states = supervisor.onState(({ server: { key, state, log } }) => {
    if (state.status === 'connecting') {
      if (!followed.has(key))
        followed.set(
          key,
          log.onLines(() => onChange(key)),
        );
    } else {
      followed.get(key)?.dispose();
      followed.delete(key);
    }
  });
  return {
    dispose: () => {
      states.dispose();
      for (const one of followed.values()) one.dispose();
    },
  };
}
