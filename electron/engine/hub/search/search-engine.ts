import type { MeaningState } from '../../../../shared/model/search.ts';
import type { SkillsView } from '../../../../shared/model/skill.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { SearchEngine } from './contract.ts';
import type { HubSearch } from './hub-search.ts';

interface SearchHub {
  readonly search: HubSearch;
}

export interface SearchEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => SearchHub;
  readonly onOpen: Event<SearchHub>;
}

/** Creates the search and skills part of the engine. */
export function createSearchEngine({ open, onOpen }: SearchEngineOptions): SearchEngine {
  const changes = new Emitter<SkillsView>();
  const meanings = new Emitter<MeaningState>();
  onOpen(({ search }) => {
    search.onSkills((view) => changes.fire(view));
    search.onMeaning((state) => meanings.fire(state));
  });
  return {
    search: {
      find: async (query, mayHave) => open().search.find(query, mayHave),
      settings: async () => open().search.settings.read(),
      configure: async (settings) => open().search.configure(settings),
      meaning: async () => open().search.meaning(),
      onMeaning: meanings.event,
      test: async (trial) => open().search.test(trial),
    },
    skills: {
      view: async () => (await open().search.skills()).view(),
      tools: async ({ skill, servers } = {}) =>
        (await open().search.skills())
          .tools()
          .filter(({ serverKey }) => servers?.includes(serverKey) ?? true)
          .filter(({ skills }) => skill === undefined || skills.some(({ id }) => id === skill)),
      correct: async (serverKey, name, skills) => {
        const { search } = open();
        (await search.skills()).correct(await search.tool(serverKey, name), skills);
      },
      release: async (serverKey, name) => (await open().search.skills()).release(serverKey, name),
      decide: async (suggestion, decision) => (await open().search.skills()).decide(suggestion, decision),
      reclassify: async (servers) => (await open().search.skills()).reclassify(servers),
      onChange: changes.event,
    },
  };
}
