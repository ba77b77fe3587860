import { expect, it } from 'vitest';
import { ruleClassifier } from '../../../../../electron/engine/search/classify/rule-classifier.ts';
import { taxonomy } from '../../../../../electron/engine/search/classify/taxonomy.ts';
import {
  ToolClassifications,
  withCurrentSkills,
} from '../../../../../electron/engine/search/classify/tool-classifications.ts';
import type {
  SearchDocument,
  StoredSuggestion,
  StoredToolSkills,
  ToolClassifier,
} from '../../../../../electron/engine/search/contract.ts';
import { documentsOf } from '../../../../../electron/engine/search/index/documents.ts';
import { serverOf } from '../../../../helper/catalogue.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { find, indexOf } from '../../../../helper/search.ts';

const github = serverOf('github', {
  tools: [
    { name: 'create_issue', description: 'Open an issue in a repository' },
    { name: 'merge_pull_request', description: 'Merge a pull request' },
  ],
});

/** An in-memory store. */
function memory() {
  const tools = new Map<string, StoredToolSkills>();
  const suggestions = new Map<string, StoredSuggestion>();
  return {
    tools,
    load: async () => ({ tools: [...tools.values()], suggestions: [...suggestions.values()] }),
    saveTools: (all: readonly StoredToolSkills[]) => {
      for (const tool of all) tools.set(`${tool.serverKey}:${tool.name}`, tool);
    },
    saveSuggestion: (one: StoredSuggestion) => void suggestions.set(one.id, one),
    forget: (serverKey: string, names: readonly string[]) => {
      for (const name of names) tools.delete(`${serverKey}:${name}`);
    },
  };
}

function bookOf(
  offered: { current: readonly SearchDocument[] },
  classifier: ToolClassifier = ruleClassifier(),
  keeper = memory(),
) {
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const tools = () => {
    const byServer = new Map<string, SearchDocument[]>();
    for (const one of offered.current)
      byServer.set(one.serverKey, [...(byServer.get(one.serverKey) ?? []), one]);
    return byServer;
  };
  const book = new ToolClassifications({
    clock,
    keeper,
    tools,
    classifier: async () => classifier,
    report: (error) => failures.push(error),
  });
  return { book, keeper, clock, failures };
}

/** A model with scripted answers that records its questions. */
function scripted(answer: (name: string) => readonly string[] | undefined, ideas: string[] = []) {
  const asked: string[] = [];
  const classifier: ToolClassifier = {
    by: 'model',
    tag: 'scripted',
    atOnce: 2,
    classify: async (_key, _tools, wanted) => {
      asked.push(...wanted.map(({ name }) => name));
      const found = wanted.flatMap(({ name }) => {
        const skills = answer(name)?.map((id) => ({ id, confidence: 0.8 }));
        return skills === undefined ? [] : [[name, { skills, keywords: ['bug report'] }] as const];
      });
      return {
        tools: new Map(found),
        ideas: ideas.map((name) => ({ name, description: '', tools: [wanted[0]?.name ?? ''] })),
      };
    },
  };
  return { classifier, asked };
}

it('[AG-US3-AC2] [AG-US3-AC3] gives each tool one to three skills with confidence; the highest from 0.5 is the primary one', async () => {
  const { book } = bookOf({ current: documentsOf(github, true) });
  await book.catchUp();
  for (const { skills, primarySkill, isClassified, by } of book.tools()) {
    expect([isClassified, by]).toEqual([true, 'rules']);
    expect([1, 2, 3]).toContain(skills.length);
    const [first] = skills;
    expect(primarySkill).toBe((first?.confidence ?? 0) >= 0.5 ? first?.id : undefined);
    for (const { confidence } of skills) expect(confidence).toBeGreaterThan(0);
  }
  expect(book.tools()[0]?.skills.map(({ id }) => id)).toContain('project-management');
});

it('has no primary skill if no confidence reaches 0.5', async () => {
  const current = documentsOf(serverOf('zz', { tools: [{ name: 'frobnicate' }] }), true);
  const { book } = bookOf({ current });
  await book.catchUp();
  expect(book.tools()).toMatchObject([{ isClassified: true }]);
  expect(book.tools()[0]?.primarySkill).toBeUndefined();
});

it('[AG-US3-AC1] asks a model only about new and changed tools', async () => {
  const offered = { current: documentsOf(github, true) };
  const { classifier, asked } = scripted(() => ['version-control']);
  const { book, keeper } = bookOf(offered, classifier);
  await book.catchUp();
  expect(asked.splice(0)).toEqual(['create_issue', 'merge_pull_request']);
  await book.catchUp();
  expect(asked).toEqual([]);
  offered.current = offered.current.map((one) =>
    one.name === 'create_issue' ? { ...one, description: 'Something else' } : one,
  );
  await book.catchUp();
  expect(asked.splice(0)).toEqual(['create_issue']);
  const later = bookOf(offered, classifier, keeper);
  await later.book.catchUp();
  expect(asked).toEqual([]);
  expect(later.book.tools()).toMatchObject([{ by: 'model' }, { by: 'model' }]);
});

it('[AG-US3-AC4] unclassified tools are marked, still found, and retried later', async () => {
  let works = false;
  const { classifier, asked } = scripted((name) =>
    works || name === 'create_issue' ? ['version-control'] : undefined,
  );
  const { book, clock } = bookOf({ current: documentsOf(github, true) }, classifier);
  await book.catchUp();
  expect(book.tools()).toMatchObject([
    { isClassified: true },
    { isClassified: false, skills: [], by: 'nobody' },
  ]);
  expect(book.view().unclassified).toBe(1);
  const index = indexOf([github], { knowledgeOf: (key, name) => book.knowledgeOf(key, name) });
  expect(find(index, 'merge pull')).toEqual(['github:merge_pull_request']);
  works = true;
  asked.length = 0;
  clock.advance(300_000);
  await book.catchUp();
  expect(asked).toEqual(['merge_pull_request']);
  expect(book.view().unclassified).toBe(0);
});

it('a classifier that fails leaves everything else as it is', async () => {
  const classifier: ToolClassifier = {
    by: 'model',
    tag: 'broken',
    atOnce: 20,
    classify: () => Promise.reject(new Error('down')),
  };
  const { book, failures } = bookOf({ current: documentsOf(github, true) }, classifier);
  await book.catchUp();
  expect(book.view()).toMatchObject({ unclassified: 2 });
  expect(failures).toHaveLength(1);
});

it('a correction stays, whatever is found later, until it is undone', async () => {
  const offered = { current: documentsOf(github, true) };
  const { book } = bookOf(offered);
  await book.catchUp();
  const tool = offered.current[0];
  if (tool === undefined) throw new Error('there is no tool');
  book.correct(tool, ['communication', 'file-management']);
  offered.current = [{ ...tool, description: 'Quite another text' }];
  await book.catchUp();
  book.reclassify();
  await book.catchUp();
  expect(book.tools()).toMatchObject([{ by: 'person', primarySkill: 'communication' }]);
  book.release('github', 'create_issue');
  await book.catchUp();
  expect(book.tools()).toMatchObject([{ by: 'rules' }]);
});

it('a correction with skills of an earlier version has those that replace them', async () => {
  const [tool] = documentsOf(github, true);
  if (tool === undefined) throw new Error('there is no tool');
  const keeper = memory();
  const share = (id: string, confidence = 1) => ({ id, confidence });
  const skills = [share('issue-tracking'), share('email'), share('messaging', 0.9), share('own-4711')];
  keeper.saveTools([
    {
      serverKey: 'github',
      name: tool.name,
      digest: '',
      classifier: 'person',
      by: 'person',
      skills,
      keywords: [],
    },
  ]);
  const { book } = bookOf({ current: [tool] }, undefined, keeper);
  await book.catchUp();
  const [found] = book.tools();
  expect(found).toMatchObject({ by: 'person', primarySkill: 'project-management' });
  expect(found?.skills).toEqual([share('project-management'), share('communication'), share('own-4711')]);
});

it('every skill of an earlier version is replaced by a current one', () => {
  const ids = new Set(taxonomy.map(({ id }) => id));
  const former =
    'files version-control code-hosting code-analysis ci-cd issue-tracking messaging email calendar documents databases data-analysis web-search web-content web-browsing knowledge-memory reasoning maps-location weather time-units payments crm monitoring cloud-infrastructure command-execution media-design social-media finance-markets smart-home security user-administration machine-learning language games-leisure health-science travel-food other';
  for (const id of former.split(' '))
    expect([id, ids.has(withCurrentSkills([{ id, confidence: 1 }])[0]?.id ?? '')]).toEqual([id, true]);
});

it('[AG-US3-AC8] a suggested skill waits for a decision, once', async () => {
  const { classifier } = scripted(() => ['utilities'], ['Brewing', 'Cider']);
  const { book, keeper } = bookOf({ current: documentsOf(github, true) }, classifier);
  await book.catchUp();
  const [brewing, cider] = book.view().suggestions;
  expect([brewing?.name, cider?.name]).toEqual(['Brewing', 'Cider']);
  book.decide(brewing?.id ?? '', 'accept');
  book.decide(cider?.id ?? '', 'dismiss');
  expect(book.view().suggestions).toEqual([]);
  expect(book.view().skills.at(-1)).toMatchObject({ name: 'Brewing', own: true, tools: 1 });
  expect(() => book.decide(cider?.id ?? '', 'accept')).toThrow();
  const again = bookOf(
    { current: documentsOf(github, true) },
    scripted(() => ['utilities'], ['Cider']).classifier,
    keeper,
  );
  again.book.reclassify();
  await again.book.catchUp();
  expect(again.book.view().suggestions).toEqual([]);
});

it('[AG-US3-AC8] a decision can be undone without a trace', async () => {
  const { classifier } = scripted(() => ['utilities'], ['Brewing']);
  const { book } = bookOf({ current: documentsOf(github, true) }, classifier);
  await book.catchUp();
  const before = { tools: book.tools(), suggestions: book.view().suggestions };
  const id = before.suggestions[0]?.id ?? '';
  expect(() => book.decide(id, 'reopen')).toThrow();
  for (const decision of ['accept', 'dismiss'] as const) {
    book.decide(id, decision);
    expect(book.view().suggestions).toEqual([]);
    book.decide(id, 'reopen');
    await book.catchUp();
    expect({ tools: book.tools(), suggestions: book.view().suggestions }).toEqual(before);
    expect(book.skills().some((skill) => skill.id === id)).toBe(false);
  }
});

it('[AG-US3-AC8] the rules suggest a skill if they can only guess for most tools of a server', async () => {
  const names = ['frobnicate', 'defrobnicate', 'refrobnicate'];
  const current = documentsOf(serverOf('frob-works', { tools: names.map((name) => ({ name })) }), true);
  const { book } = bookOf({ current });
  await book.catchUp();
  expect(book.view().suggestions).toMatchObject([{ name: 'Frob works', by: 'rules' }]);
});

it('[AG-US3-AC6] [AG-US3-AC7] classifies thousands of tools in batches, and reports progress', async () => {
  const servers = Array.from({ length: 20 }, (_, at) =>
    serverOf(`s${at}`, { tools: Array.from({ length: 60 }, (_, n) => ({ name: `list_files_${n}` })) }),
  );
  const { book } = bookOf({ current: servers.flatMap((one) => documentsOf(one, true)) });
  const told: unknown[] = [];
  book.onChange(({ progress }) => told.push(progress));
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 0);
  await book.catchUp();
  clearInterval(ticking);
  expect(told[0]).toEqual({ done: 60, total: 1_200 });
  expect(told.at(-1)).toBeUndefined();
  expect(turns).toBeGreaterThan(0);
  expect(book.view().unclassified).toBe(0);
});

it('[AG-US3-AC1] shows progress from the first question to a model until the last answer', async () => {
  const { classifier } = scripted(() => ['issue_tracking']);
  const seen: unknown[] = [];
  const classify: ToolClassifier['classify'] = (...asked) => {
    seen.push(book.view().progress);
    return classifier.classify(...asked);
  };
  const { book } = bookOf({ current: documentsOf(github, true) }, { ...classifier, classify });
  await book.catchUp();
  expect(seen).toEqual([{ done: 0, total: 2 }]);
  expect(book.view().progress).toBeUndefined();
});

it('[AG-US6-AC7] skills lose the tools of a removed server, and listeners are notified', async () => {
  const offered = { current: documentsOf(github, true) };
  const { book } = bookOf(offered);
  await book.catchUp();
  const having = () => book.view().skills.reduce((sum, { tools }) => sum + tools, 0);
  expect(having()).toBeGreaterThan(0);
  const told: (readonly [string, number])[] = [];
  book.onChange((view) => told.push(['view', view.skills.reduce((sum, { tools }) => sum + tools, 0)]));
  book.onServer((key) => told.push([key, having()]));
  offered.current = [];
  await book.catchUp();
  expect(having()).toBe(0);
  expect(told).toEqual([
    ['github', 0],
    ['view', 0],
  ]);
});
