import { expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { fixture } from '../../../helper/programs.ts';
import { startRestHub } from '../../../helper/rest.ts';

const skills = '/api/v1/skills';
const called = (names: readonly string[]) => ({
  command: process.execPath,
  args: [fixture('odd-names')],
  env: { NAMES: JSON.stringify(names) },
});

it('[AG-US3-AC2] [AG-US3-AC8] [API-1] skills of a hub are read, corrected, accepted and reclassified over REST', async () => {
  await using hub = await startRestHub({
    'github-mcp': called(['create_issue', 'list_pull_requests']),
    zorbles: called(['flib', 'grunk', 'snarf']),
  });
  const { rest } = hub;
  const { body } = await rest('GET', skills);
  expect(body.metadata).toMatchObject({ total_tools: 5, classification: { status: 'IDLE' } });
  const issue = '/api/v1/tools/github-mcp/create_issue/skills';
  const found = await rest('GET', issue);
  expect(found.body).toMatchObject({ is_classified: true, classified_by: 'rules' });
  const other = body.skills.find(({ id }: { id: string }) => id !== found.body.primary_skill_id).id;
  await rest('PUT', issue, { skill_ids: [other] });

  const { body: queue } = await rest('GET', `${skills}/suggestions`);
  const [{ id, name }] = queue.suggestions;
  expect(name).toBe('Zorbles');
  expect((await rest('POST', `${skills}/suggestions/${id}/accept`)).status).toBe(200);
  const zorbles = await rest('GET', `${skills}/${id}/tools`, undefined, hub.token);
  expect(zorbles.body).toMatchObject({ total: 3, skill: { custom: true, primary_tool_count: 3 } });

  expect(await rest('POST', `${skills}/reclassify`, { server_filter: ['github-mcp'] })).toMatchObject({
    status: 202,
    body: { servers: 1, tools: 1 },
  });
  await eventually(async () => {
    const { body: after } = await rest('GET', `${skills}?server_id=github-mcp`);
    expect(after.metadata.classified_tools).toBe(2);
  });
  expect((await rest('GET', issue)).body).toMatchObject({
    primary_skill_id: other,
    classified_by: 'person',
  });
});
