import { useEffect, useState } from 'react';
import type { Problem } from '../../shared/error/problem.ts';
import type { SkillsView, ToolSkills } from '../../shared/model/skill.ts';
import { useModel } from './model-context.tsx';

/** State of skills; subscribed only while mounted. */
export type SkillsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly view: SkillsView }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function useSkills(): SkillsState {
  const { link } = useModel();
  const [state, setState] = useState<SkillsState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const stop = link.on('skills.changed', (view) => setState({ kind: 'known', view }));
    void link.call('skill.view', undefined).then((answer) => {
      if (!wanted) return;
      // A pushed state is newer.
      setState((now) =>
        now.kind === 'known'
          ? now
          : answer.ok
            ? { kind: 'known', view: answer.value }
            : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link]);
  return state;
}

/** Tools of one skill, or of all. */
export type SkillToolsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly tools: readonly ToolSkills[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Minimum milliseconds between two fetches while thousands of tools are being classified. */
const minFetchIntervalMs = 400;

/**
 * Returns the tools with a skill; without one, all tools. Fetched again, at a limited rate, when skills
 * change.
 */
export function useSkillTools(skill: string | undefined): SkillToolsState {
  const { link } = useModel();
  const [state, setState] = useState<SkillToolsState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = 0;
    async function load(): Promise<void> {
      asked += 1;
      const number = asked;
      const answer = await link.call('skill.tools', skill === undefined ? {} : { skill });
      if (!wanted || number !== asked) return;
      setState(
        answer.ok
          ? { kind: 'known', tools: answer.value.tools }
          : { kind: 'failed', problem: answer.problem },
      );
    }
    let restsUntil = 0;
    function loadSoon(): void {
      const wait = Math.max(0, restsUntil - Date.now());
      timer ??= setTimeout(() => {
        timer = undefined;
        restsUntil = Date.now() + minFetchIntervalMs;
        void load();
      }, wait);
    }
    setState({ kind: 'loading' });
    void load();
    const stop = link.on('skills.changed', loadSoon);
    return () => {
      wanted = false;
      clearTimeout(timer);
      stop();
    };
  }, [link, skill]);
  return state;
}
