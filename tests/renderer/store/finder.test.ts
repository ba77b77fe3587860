import { describe, expect, it } from 'vitest';
import { createFinder } from '../../../renderer/store/finder.ts';
import type { IpcAnswer } from '../../../shared/ipc/contract.ts';
import type { SearchQuery } from '../../../shared/model/tool/search.ts';
import { refused, testModel } from '../helper/test-model.ts';

const query = (text: string): SearchQuery => ({ query: text, limit: 10 });

/** Creates a finder whose answers arrive when the test says so, by query text. */
function withheld() {
  const waiting = new Map<string, (answer: IpcAnswer<'search.find'>) => void>();
  const { model } = testModel({
    'search.find': ({ query: text }) => new Promise((resolve) => waiting.set(text, resolve)),
  });
  const finder = createFinder(model.link);
  return {
    finder,
    async answer(text: string, ok = true) {
      const value = {
        hits: [],
        total: text.length,
        searched: { servers: 1, tools: 1 },
        meaning: 'off',
      } as const;
      waiting.get(text)?.(ok ? { ok: true, value } : refused);
      await new Promise((resolve) => setImmediate(resolve));
    },
    shown() {
      const state = finder.state.getState();
      return state.kind === 'found' ? state.asked.query : state.kind;
    },
  };
}

describe('the finder', () => {
  it('[AG-US2-AC1] never shows an older answer over a newer one', async () => {
    const { finder, answer, shown } = withheld();
    for (const text of ['g', 'gi', 'git']) finder.ask(query(text));
    expect(shown()).toBe('searching');
    await answer('gi');
    expect(shown()).toBe('gi');
    await answer('g');
    expect(shown()).toBe('gi');
    await answer('git');
    expect(shown()).toBe('git');
  });

  it('[AG-US2-AC1] clears results, and ignores pending ones, when the query is empty', async () => {
    const { finder, answer, shown } = withheld();
    finder.ask(query('git'));
    finder.ask(query('  '));
    await answer('git');
    expect(shown()).toBe('idle');
    finder.ask(undefined);
    expect(shown()).toBe('idle');
  });

  it('[AG-US2-AC1] reports only the failure of the last query, and recovers after it', async () => {
    const { finder, answer, shown } = withheld();
    finder.ask(query('a'));
    finder.ask(query('ab'));
    await answer('a', false);
    expect(shown()).toBe('searching');
    await answer('ab', false);
    expect(shown()).toBe('failed');
    finder.ask(query('abc'));
    await answer('abc');
    expect(shown()).toBe('abc');
  });
});
