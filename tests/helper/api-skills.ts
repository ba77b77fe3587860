import type { OperationHandlers } from '../../electron/engine/base/operation-handlers.ts';
import { ProblemError, problem } from '../../shared/error/problem.ts';
import type { SkillSuggestion, ToolSkills } from '../../shared/model/tool/skill.ts';

/** Answers operations on skills in memory: `a:x` writes, and one more skill is suggested for it. */
export function apiSkills(): Partial<OperationHandlers> {
  const found: ToolSkills = {
    serverKey: 'a',
    name: 'x',
    isClassified: true,
    skills: [{ id: 'writing', confidence: 0.8 }],
    primarySkill: 'writing',
    by: 'rules',
  };
  const forbidden: ToolSkills = { ...found, name: 'forbidden', skills: [{ id: 'writing', confidence: 0.9 }] };
  const suggestion: SkillSuggestion = {
    id: 'own-1',
    name: 'Poems',
    description: 'Writes poems.',
    tools: [{ serverKey: 'a', name: 'x' }],
    by: 'model',
  };
  let state: 'open' | 'accept' | 'dismiss' = 'open';
  let said: readonly string[] | undefined;
  const writing = { id: 'writing', name: 'Writing', description: 'Texts.', tools: 2 };
  const poems = { id: 'own-1', name: 'Poems', description: 'Writes poems.', tools: 0, own: true } as const;
  const corrected = (): ToolSkills => {
    if (said === undefined) return found;
    const { primarySkill: _before, ...rest } = found;
    const skills = said.map((id) => ({ id, confidence: 1 }));
    const [first] = said;
    const isClassified = first !== undefined;
    return { ...rest, isClassified, skills, by: 'person', ...(isClassified ? { primarySkill: first } : {}) };
  };
  return {
    'skill.view': () => ({
      skills: state === 'accept' ? [writing, poems] : [writing],
      unclassified: 0,
      suggestions: state === 'open' ? [suggestion] : [],
      progress: { done: 3, total: 9 },
    }),
    'skill.tools': ({ skill, servers }) => ({
      tools: [corrected(), forbidden]
        .filter(({ serverKey }) => servers?.includes(serverKey) ?? true)
        .filter(({ skills }) => skill === undefined || skills.some(({ id }) => id === skill)),
    }),
    'skill.correct': ({ skills }) => {
      said = skills;
    },
    'skill.release': () => {
      said = undefined;
    },
    'skill.decide': ({ suggestion: id, decision }) => {
      if (id !== 'own-1' || (state === 'open') === (decision === 'reopen')) {
        throw new ProblemError(problem('skill.unknown', 'None.', ''));
      }
      state = decision === 'reopen' ? 'open' : decision;
    },
  };
}
