import type { OperationHandlers } from '../../base/operation-handlers.ts';
import type { SearchService } from './search-service.ts';

export function searchOperations(search: SearchService) {
  return {
    'search.find': (query) => search.find(query),
    'search.settings': () => search.settings.read(),
    'search.configure': (settings) => search.configure(settings),
    'search.meaning': () => search.meaning(),
    'search.test': async (trial) => ({ milliseconds: await search.test(trial) }),
    'skill.view': async () => (await search.skills()).view(),
    'skill.tools': async ({ skill, servers }) => ({
      tools: (await search.skills())
        .tools()
        .filter(({ serverKey }) => servers?.includes(serverKey) ?? true)
        .filter(({ skills }) => skill === undefined || skills.some(({ id }) => id === skill)),
    }),
    'skill.correct': async ({ serverKey, name, skills }) => {
      (await search.skills()).correct(await search.tool(serverKey, name), skills);
    },
    'skill.release': async ({ serverKey, name }) => (await search.skills()).release(serverKey, name),
    'skill.decide': async ({ suggestion, decision }) => (await search.skills()).decide(suggestion, decision),
    'skill.reclassify': async ({ servers }) => (await search.skills()).reclassify(servers),
  } satisfies Partial<OperationHandlers>;
}
