import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { LimitName, LimitView } from '../../../shared/model/hub/limits.ts';
import { useModel } from '../model-context.tsx';

/** Effective limits; fetched again whenever the settings change. */
export type LimitsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly limits: readonly LimitView[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface Limits {
  readonly state: LimitsState;
  reload(): void;
  /** Sets a limit, or resets it with null; resolves to the problem if it was rejected. */
  set(name: LimitName, value: number | null): Promise<Problem | undefined>;
}

export function useLimits(): Limits {
  const { link, mirrors } = useModel();
  const chosen = useStore(mirrors.settings, (settings) => settings?.limits);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<LimitsState>({ kind: 'loading' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetches again for another selection and on each retry
  useEffect(() => {
    let wanted = true;
    void link.call('limits.list', undefined).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'known', limits: answer.value } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
    };
  }, [link, chosen, turn]);
  async function set(name: LimitName, value: number | null): Promise<Problem | undefined> {
    const answer = await link.call('limits.set', { name, value });
    if (!answer.ok) return answer.problem;
    setState({ kind: 'known', limits: answer.value });
    return undefined;
  }
  return { state, set, reload: () => setTurn((before) => before + 1) };
}

/** Returns one limit, once known. */
export function useLimit(name: LimitName): LimitView | undefined {
  const { state } = useLimits();
  return state.kind === 'known' ? state.limits.find((limit) => limit.name === name) : undefined;
}
