import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { systemClock } from '../../../electron/engine/base/clock.ts';
import { skillStore } from '../../../electron/engine/search/service/skill-store.ts';
import type { SemanticSearchState } from '../../../shared/model/tool/search.ts';
import type { SkillsView } from '../../../shared/model/tool/skill.ts';
import { embeddingServer } from '../../helper/embedding-server.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { connectBridge, type Hub, isConnected, startHub } from '../../helper/running-hub.ts';
import { stateIn } from '../../helper/state-db.ts';

const servers = {
  a: nodeEntry(fixture('echo')),
  b: nodeEntry(fixture('echo')),
  moody: nodeEntry(fixture('moody')),
};

async function started(): Promise<Hub> {
  const hub = await startHub(servers);
  for (const key of Object.keys(servers)) {
    await isConnected(hub, key);
    await eventually(() => expect(hub.server(key).counts.tools).toBeGreaterThan(0));
  }
  return hub;
}

const toolCount = (hub: Hub, ...keys: string[]) =>
  keys.reduce((sum, key) => sum + hub.server(key).counts.tools, 0);

it('[AG-US2-AC1] [AG-US2-AC3] [AG-US2-AC5] a hub searches all connected servers, and counts the searched tools', async () => {
  await using hub = await started();
  const find = async (more = {}) => {
    const { hits, searched } = await hub.engine.run('search.find', { query: 'echo', limit: 50, ...more });
    return { keys: [...new Set(hits.map(({ serverKey }) => serverKey))].sort(), searched };
  };
  const whole = await find({ connectedOnly: true });
  expect(whole.keys).toEqual(expect.arrayContaining(['a', 'b']));
  expect(whole.searched).toEqual({ servers: 3, tools: toolCount(hub, 'a', 'b', 'moody') });
  await hub.engine.run('server.setEnabled', { key: 'b', enabled: false });
  await eventually(async () => {
    const left = await find({ connectedOnly: true });
    expect(left.keys).not.toContain('b');
    expect(left.searched).toEqual({ servers: 2, tools: toolCount(hub, 'a', 'moody') });
  });
  expect((await find()).keys).toContain('b');
  expect((await find({ enabledOnly: true })).keys).not.toContain('b');
});

it('[AG-US6-AC7] skills are recomputed when a server is removed', async () => {
  await using hub = await started();
  const having = (view: SkillsView) => view.skills.reduce((sum, { tools }) => sum + tools, 0);
  const toolsOf = async (key: string) =>
    (await hub.engine.run('skill.tools', { servers: [key] })).tools.reduce(
      (sum, { skills }) => sum + skills.length,
      0,
    );
  await eventually(async () => expect((await hub.engine.run('skill.view', undefined)).unclassified).toBe(0));
  const [whole, own] = [having(await hub.engine.run('skill.view', undefined)), await toolsOf('b')];
  expect(own).toBeGreaterThan(0);
  const told: number[] = [];
  hub.engine.events['skills.changed']((view) => told.push(having(view)));
  await hub.engine.run('server.remove', { key: 'b' });
  await eventually(() => expect(told.at(-1)).toBe(whole - own));
  expect(await toolsOf('b')).toBe(0);
});

it('[AG-US3-AC1] [AG-US3-AC2] new tools are classified automatically; a correction survives a restart', async () => {
  await using hub = await started();
  let name = '';
  await eventually(async () => {
    const { tools } = await hub.engine.run('skill.tools', { servers: ['a'] });
    expect(tools.length).toBeGreaterThan(0);
    for (const { isClassified, skills } of tools) {
      expect(isClassified).toBe(true);
      expect(skills.length).toBeGreaterThanOrEqual(1);
      expect(skills.length).toBeLessThanOrEqual(3);
    }
    name = tools[0]?.name ?? '';
  });
  await hub.engine.run('skill.correct', { serverKey: 'a', name, skills: ['weather'] });
  await expect(
    hub.engine.run('skill.correct', { serverKey: 'a', name, skills: ['nonsense'] }),
  ).rejects.toMatchObject({
    problem: { code: 'skill.unknown' },
  });
  await hub.restart();
  const of = async () =>
    (await hub.engine.run('skill.tools', {})).tools.find((one) => one.serverKey === 'a' && one.name === name);
  await eventually(async () => expect(await of()).toMatchObject({ primarySkill: 'weather', by: 'person' }));
  const { hits } = await hub.engine.run('search.find', { query: '', skills: ['weather'], limit: 5 });
  expect(hits).toMatchObject([{ serverKey: 'a', name, primarySkill: 'weather' }]);
  await hub.engine.run('skill.release', { serverKey: 'a', name });
  await eventually(async () => expect(await of()).toMatchObject({ by: 'rules' }));
});

it('a correction stored by an earlier version keeps its meaning', async () => {
  await using hub = await started();
  const [tool] = (await hub.engine.run('skill.tools', { servers: ['a'] })).tools;
  if (tool === undefined) throw new Error('there is no tool');
  {
    await using state = stateIn(hub.dir);
    const store = skillStore(state, systemClock);
    const { serverKey, name } = tool;
    const skills = ['email', 'own-4711'].map((id) => ({ id, confidence: 1 }));
    store.saveTools([
      { serverKey, name, digest: '', classifier: 'person', by: 'person', skills, keywords: [] },
    ]);
    await store.flush();
  }
  await hub.restart();
  await eventually(async () =>
    expect((await hub.engine.run('skill.tools', { servers: ['a'] })).tools).toContainEqual({
      ...tool,
      isClassified: true,
      by: 'person',
      primarySkill: 'communication',
      skills: ['communication', 'own-4711'].map((id) => ({ id, confidence: 1 })),
    }),
  );
});

it('[AG-US3-AC1] the model of a connected client classifies if chosen; settings without a secret are stored', async () => {
  await using hub = await started();
  await using client = await connectBridge(hub.dir, 'thinker', { sampling: {} });
  const asked: string[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    const [message] = params.messages;
    const content = JSON.parse(JSON.stringify(message?.content));
    const { tools } = JSON.parse(content.text);
    asked.push(...tools.map(({ name }: { name: string }) => name));
    const answer = tools.map(({ n }: { n: number }) => ({
      n,
      skills: [{ id: 'weather', confidence: 0.9 }],
      keywords: ['umbrella advice'],
    }));
    const text = `Sure! \`\`\`json\n${JSON.stringify({ tools: answer })}\n\`\`\``;
    return { model: 'thinker-1', role: 'assistant', content: { type: 'text', text } };
  });
  const settings = { classifier: { kind: 'sampling' }, meaning: { kind: 'off' } } as const;
  await hub.engine.run('search.configure', settings);
  await eventually(async () => {
    const { tools } = await hub.engine.run('skill.tools', {});
    expect(tools.map(({ by }) => by)).toEqual(tools.map(() => 'model'));
  });
  expect(asked.length).toBe(toolCount(hub, 'a', 'b', 'moody'));
  const { hits } = await hub.engine.run('search.find', { query: 'umbrella advice', limit: 3 });
  expect(hits[0]).toMatchObject({ primarySkill: 'weather' });
  expect(JSON.stringify(hits)).not.toContain('umbrella');
  await hub.restart();
  expect(await hub.engine.run('search.settings', undefined)).toEqual(settings);
});

it('[AG-US2-AC1] a hub searches by the meaning that a model finds, and reports its progress', async () => {
  await using model = await embeddingServer();
  await using hub = await started();
  expect(await hub.engine.run('search.meaning', undefined)).toEqual({ kind: 'off' });
  const states: SemanticSearchState[] = [];
  hub.engine.events['meaning.changed']((state) => states.push(state));
  const classifier = { kind: 'rules' } as const;
  await hub.engine.run('search.configure', { classifier, meaning: model.source });
  await eventually(async () =>
    expect(await hub.engine.run('search.meaning', undefined)).toMatchObject({ kind: 'ready' }),
  );
  expect(states[0]).toMatchObject({ kind: 'learning', known: 0 });
  await eventually(() => expect(states.at(-1)).toMatchObject({ kind: 'ready' }));
  expect(await hub.engine.run('search.find', { query: 'cat', limit: 5 })).toMatchObject({ meaning: 'used' });
  model.state.isDown = true;
  await hub.engine.run('search.configure', { classifier, meaning: { ...model.source, model: 'gone' } });
  await eventually(async () =>
    expect(await hub.engine.run('search.meaning', undefined)).toMatchObject({ kind: 'failed' }),
  );
  const { hits, meaning: counted } = await hub.engine.run('search.find', { query: 'echo', limit: 5 });
  expect([hits.length > 0, counted]).toEqual([true, 'failed']);
});
