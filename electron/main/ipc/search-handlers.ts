import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `search-calls.ts`, in the same order. */
export function searchHandlers({ engine: { search, skills } }: HandlerContext) {
  return {
    'search.find': (query) => search.find(query),
    'search.settings': () => search.settings(),
    'search.configure': (settings) => search.configure(settings),
    'search.meaning': () => search.meaning(),
    'search.test': async (trial) => ({ milliseconds: await search.test(trial) }),
    'skill.view': () => skills.view(),
    'skill.tools': async ({ skill, servers }) => ({
      tools: await skills.tools({
        ...(skill === undefined ? {} : { skill }),
        ...(servers === undefined ? {} : { servers }),
      }),
    }),
    'skill.correct': ({ serverKey, name, skills: chosen }) => skills.correct(serverKey, name, chosen),
    'skill.release': ({ serverKey, name }) => skills.release(serverKey, name),
    'skill.decide': ({ suggestion, decision }) => skills.decide(suggestion, decision),
    'skill.reclassify': ({ servers }) => skills.reclassify(servers),
  } satisfies Partial<IpcHandlers>;
}
