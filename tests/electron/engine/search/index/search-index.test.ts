import { expect, it } from 'vitest';
import { documentsOf } from '../../../../../electron/engine/search/index/documents.ts';
import { serverOf, toolNamed } from '../../../../helper/catalogue.ts';
import { find, indexOf } from '../../../../helper/search.ts';

const github = serverOf(
  'github',
  {
    tools: [
      { ...toolNamed('create_issue'), description: 'Open a new issue in a repository' },
      { ...toolNamed('list_pull_requests'), annotations: { readOnlyHint: true } },
      { ...toolNamed('delete_repository'), annotations: { destructiveHint: true } },
      toolNamed('star'),
    ],
    prompts: [{ name: 'review_changes', description: 'Review a pull request' }],
    resources: [{ uri: 'repo://readme', name: 'Readme' }],
  },
  ['star'],
);
const jira = serverOf('jira', {
  tools: [
    { ...toolNamed('create_issue'), description: 'Create a ticket in a project' },
    { ...toolNamed('sprintBoard'), description: 'The board of a sprint' },
  ],
});
const files = serverOf('files', { tools: [{ name: 'read_file' }, { name: 'write_file' }] });
const all = [github, jira, files];

it('[AG-US2-AC1] searches the lists of all servers', () => {
  expect(find(indexOf(all), 'create issue')).toEqual(
    expect.arrayContaining(['github:create_issue', 'jira:create_issue']),
  );
});

it('[AG-US2-AC7] puts the best match first, from any server', () => {
  const { hits } = indexOf(all).search({ query: 'create ticket', limit: 10 }, { isConnected: () => true });
  expect(hits[0]).toMatchObject({ serverKey: 'jira', name: 'create_issue' });
  expect(hits.map(({ score }) => score)).toEqual([...hits.map(({ score }) => score)].sort((a, b) => b - a));
  for (const { score } of hits) expect(score).toBeGreaterThan(0);
  for (const { score } of hits) expect(score).toBeLessThanOrEqual(1);
});

it.each([
  'github:create_issue',
  'github.create_issue',
  'github__create_issue',
  'github create issue',
  'create issue in github',
])('is as sure as can be of %j', (query) => {
  const { hits } = indexOf(all).search({ query, limit: 1 }, { isConnected: () => true });
  expect(hits).toMatchObject([{ serverKey: 'github', name: 'create_issue', score: 1 }]);
});

it.each([
  ['crea', 'github:create_issue'],
  ['sprint boa', 'jira:sprintBoard'],
  ['reposiotry', 'github:delete_repository'],
  ['wirte file', 'files:write_file'],
  ['pulling requests', 'github:list_pull_requests'],
  ['erase repo', 'github:delete_repository'],
])('takes %j for what it is the beginning, a misspelling or another word of', (query, meant) => {
  expect(find(indexOf(all), query)).toContain(meant);
});

it('[AG-US2-AC4] searches only the requested servers', () => {
  const found = find(indexOf(all), 'create issue', { servers: ['jira', 'gone'] });
  expect(found).toEqual(['jira:create_issue']);
});

it('[AG-US2-AC3] leaves out disconnected servers if requested', () => {
  const index = indexOf(all);
  const isConnected = (key: string) => key !== 'github';
  const found = find(index, 'create issue', { connectedOnly: true }, isConnected);
  expect(found).toContain('jira:create_issue');
  expect(found.filter((id) => id.startsWith('github'))).toEqual([]);
  expect(find(index, 'create issue', {}, isConnected)).toContain('github:create_issue');
});

it('[AG-US2-AC5] counts the searched tools', () => {
  const index = indexOf(all);
  const count = (more: object) =>
    index.search({ query: 'issue', limit: 1, ...more }, { isConnected: (key) => key !== 'jira' }).searched;
  expect(count({})).toEqual({ servers: 3, tools: 8 });
  expect(count({ connectedOnly: true })).toEqual({ servers: 2, tools: 6 });
  expect(count({ enabledOnly: true })).toEqual({ servers: 3, tools: 7 });
});

it('filters by kind, stated risk and enabled state', () => {
  const index = indexOf(all);
  expect(find(index, 'review', { kinds: ['prompt'] })).toEqual(['github:review_changes']);
  expect(find(index, 'readme', { kinds: ['resource'] })).toEqual(['github:repo://readme']);
  expect(find(index, '', { risks: ['destructive'] })).toEqual(['github:delete_repository']);
  expect(find(index, '', { risks: ['read-only'] })).toEqual(['github:list_pull_requests']);
  expect(find(index, 'star', { enabledOnly: true })).toEqual([]);
  expect(find(index, 'star')).toEqual(['github:star']);
});

it('returns the positions of matches', () => {
  const { hits } = indexOf(all).search({ query: 'repository issue', limit: 1 }, { isConnected: () => true });
  const [hit] = hits;
  const texts = hit?.matched.map(({ field, ranges }) => {
    const text = { name: hit.name, description: hit.description ?? '' }[field as 'name'] ?? '';
    return [field, ranges.map(([from, to]) => text.slice(from, to))];
  });
  expect(texts).toEqual([
    ['name', ['issue']],
    ['description', ['issue', 'repository']],
  ]);
});

it('[AG-US2-AC1] finds a word with a typo that looks like a suffix', () => {
  const index = indexOf([serverOf('office', { tools: ['read_calendar'] })]);
  expect(find(index, 'calender')).toEqual(['office:read_calendar']);
});

it('follows changed and removed servers', () => {
  const index = indexOf(all);
  index.set('jira', documentsOf(serverOf('jira', { tools: ['log_work'] }), true));
  index.set('github', []);
  expect(find(index, 'create issue')).toEqual([]);
  expect(find(index, 'log work')).toEqual(['jira:log_work']);
  expect(index.servers).toEqual(['files', 'jira']);
});

it('ranks often called tools above similar ones, and disabled ones below', () => {
  const twins = [serverOf('a', { tools: ['send_mail'] }), serverOf('b', { tools: ['send_mail'] })];
  const usesOf = (key: string) => (key === 'b' ? new Map([['send_mail', 40]]) : undefined);
  expect(find(indexOf(twins, { usesOf }), 'mail')).toEqual(['b:send_mail', 'a:send_mail']);
  const off = [
    serverOf('a', { tools: ['send_mail'] }, ['send_mail']),
    serverOf('b', { tools: ['send_mail'] }),
  ];
  expect(find(indexOf(off), 'mail')).toEqual(['b:send_mail', 'a:send_mail']);
});

it('finds by skill and by hidden keywords, and boosts the skill of the query', () => {
  const knowledge = (id: string, keywords: readonly string[]) => ({
    isClassified: true,
    skills: [{ id, confidence: 0.9 }],
    primarySkill: id,
    keywords,
  });
  const knowledgeOf = (key: string) =>
    key === 'files' ? knowledge('files', ['attachment']) : knowledge('tasks', []);
  const index = indexOf(all, { knowledgeOf, skillNames: () => new Map([['files', 'Files and folders']]) });
  expect(find(index, 'folders')).toContain('files:read_file');
  expect(find(index, '', { skills: ['files'] })).toEqual(['files:read_file', 'files:write_file']);
  const { hits } = index.search({ query: 'attachment', limit: 1 }, { isConnected: () => true });
  expect(hits).toMatchObject([{ serverKey: 'files', primarySkill: 'files' }]);
  expect(JSON.stringify(hits)).not.toContain('attachment');
});

it.each([
  ['10,000 characters', 'issue '.repeat(1_666)],
  ['one word without end', 'x'.repeat(10_000)],
  ['characters of regular expressions', '(.*)+[a-z]{2,}\\'],
  ['pictograms', '💡👩‍👩‍👧'],
  ['another script', 'создать задачу 課題を作成'],
  ['half a pictogram', '\ud83d'],
  ['nothing but stop words', 'what is the'],
  ['names of every object', 'constructor __proto__ toString'],
])('survives %s', (_, query) => {
  expect(() => find(indexOf(all), query)).not.toThrow();
});

it('ranks by the request, not by filler words', () => {
  const some = serverOf('some', {
    tools: [
      { ...toolNamed('first'), description: 'Kindly' },
      { ...toolNamed('second'), description: 'The weather of a place and of its surroundings' },
    ],
  });
  expect(find(indexOf([some]), 'kindly the weather')).toEqual(['some:second', 'some:first']);
});

it('finds in other scripts, and by pictograms', () => {
  const index = indexOf([
    serverOf('haus', { tools: [{ name: 'licht', description: 'Schaltet das Licht 💡 über der Küche' }] }),
    serverOf('tenki', { tools: [{ name: 'tenki', description: '今日の天気予報を取得します' }] }),
  ]);
  expect(find(index, '天気')).toEqual(['tenki:tenki']);
  expect(find(index, '💡')).toEqual(['haus:licht']);
  expect(find(index, 'kuche')).toEqual(['haus:licht']);
});

it('[AG-US2-AC6] ranks ten servers of a hundred tools together, and returns no more than requested; see npm run eval:speed', () => {
  const names = Array.from({ length: 100 }, (_, at) => `list_things_${at}`);
  const servers = Array.from({ length: 10 }, (_, at) => serverOf(`s${at}`, { tools: names }));
  const index = indexOf(servers);
  const { hits, total, searched } = index.search(
    { query: 'list things', limit: 7 },
    { isConnected: () => true },
  );
  expect(searched).toEqual({ servers: 10, tools: 1_000 });
  expect([hits.length, total]).toEqual([7, 1_000]);
  expect(find(index, 's7 list things 42')[0]).toBe('s7:list_things_42');
});

it.each(['create isue', 'sprnt board', 'jira create isssue', 'delte repository'])(
  'ranks a misspelt name above keyword matches: %j',
  (query) => {
    const { hits } = indexOf(all).search({ query, limit: 1 }, { isConnected: () => true });
    expect(hits[0]?.score).toBeGreaterThan(0.89);
  },
);
