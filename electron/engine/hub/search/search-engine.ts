import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { SkillsView } from '../../../../shared/model/skill.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { SearchEngine } from './contract.ts';

export interface SearchEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => unknown;
  readonly running: () => unknown;
  readonly onOpen: Event<unknown>;
}

/** Search and skills, for the engine. */
export function createSearchEngine(_options: SearchEngineOptions): SearchEngine {
  const changes = new Emitter<SkillsView>();
  const refuse = async (): Promise<never> => {
    throw new ProblemError(
      problem('internal', 'Search is not ready in this version.', 'Use the filter of the list.'),
    );
  };
  return {
    search: { find: refuse, settings: refuse, configure: refuse },
    skills: {
      view: refuse,
      tools: refuse,
      correct: refuse,
      release: refuse,
      decide: refuse,
      reclassify: refuse,
      onChange: changes.event,
    },
  };
}
