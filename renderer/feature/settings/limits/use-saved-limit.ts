import { useEffect, useState } from 'react';
import type { LimitName } from '../../../../shared/model/hub/limits.ts';
import type { Limits } from '../../../store/hook/engine-hooks.ts';
import type { SaveState } from '../use-saved-setting.ts';

/** Sets one limit, or resets it with null. "Saved" shows for a moment, a problem until the next attempt. */
export function useSavedLimit(
  name: LimitName,
  set: Limits['set'],
): readonly [SaveState, (value: number | null) => Promise<boolean>] {
  const [state, setState] = useState<SaveState>({ kind: 'idle' });
  useEffect(() => {
    if (state.kind !== 'saved') return;
    const timer = setTimeout(() => setState({ kind: 'idle' }), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  async function save(value: number | null): Promise<boolean> {
    setState({ kind: 'saving' });
    const problem = await set(name, value);
    setState(problem === undefined ? { kind: 'saved' } : { kind: 'failed', problem });
    return problem === undefined;
  }
  return [state, save];
}
