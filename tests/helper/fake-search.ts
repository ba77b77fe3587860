import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';
import type { MeaningState } from '../../shared/model/search.ts';
import type { SkillsView } from '../../shared/model/skill.ts';

type Record = (...call: unknown[]) => Promise<void>;

/** The search of a fake engine: it finds nothing, and remembers what it was asked for. */
export function fakeSearch(record: Record): Engine['search'] {
  return {
    find: async (query) => {
      await record('search.find', query);
      return { hits: [], total: 0, searched: { servers: 0, tools: 0 }, meaning: 'off' };
    },
    settings: async () => ({ classifier: { kind: 'rules' }, meaning: { kind: 'off' } }),
    configure: (settings) => record('search.configure', settings),
    meaning: async () => ({ kind: 'off' }),
    onMeaning: new Emitter<MeaningState>().event,
    test: async (trial) => {
      await record('search.test', trial);
      return 1;
    },
  };
}

/** The skills of a fake engine. */
export function fakeSkills(record: Record): Engine['skills'] {
  return {
    view: async () => ({ skills: [], unclassified: 0, suggestions: [] }),
    tools: async () => [],
    correct: (serverKey, name, skills) => record('skills.correct', serverKey, name, skills),
    release: (serverKey, name) => record('skills.release', serverKey, name),
    decide: (suggestion, decision) => record('skills.decide', suggestion, decision),
    reclassify: (servers) => record('skills.reclassify', servers),
    onChange: new Emitter<SkillsView>().event,
  };
}
