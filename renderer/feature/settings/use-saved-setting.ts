import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { SettingsPatch } from '../../../shared/schema/settings.ts';
import { saveSettings } from '../../command/app/app-actions.ts';
import { useModel } from '../../store/model-context.tsx';

/** State of the last change to a setting. */
export type SaveState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Saves one setting immediately. "Saved" shows for a moment, a problem until the next attempt. */
export function useSavedSetting(): readonly [SaveState, (patch: SettingsPatch) => Promise<boolean>] {
  const model = useModel();
  const [state, setState] = useState<SaveState>({ kind: 'idle' });
  useEffect(() => {
    if (state.kind !== 'saved') return;
    const timer = setTimeout(() => setState({ kind: 'idle' }), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  async function save(patch: SettingsPatch): Promise<boolean> {
    setState({ kind: 'saving' });
    const problem = await saveSettings(model, patch);
    setState(problem === undefined ? { kind: 'saved' } : { kind: 'failed', problem });
    return problem === undefined;
  }
  return [state, save];
}
