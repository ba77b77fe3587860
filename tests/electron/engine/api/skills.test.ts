import { describe, expect, it } from 'vitest';
import { agentToken, fakePorts, type ServedApi, serveApi } from '../../../helper/api.ts';

const skills = '/api/v1/skills';
const ofTool = '/api/v1/tools/a/x/skills';

const opened = () => serveApi(fakePorts().ports);
const get = async (api: ServedApi, path: string, token?: string) => {
  const response = await api.ask(path, token === undefined ? {} : { token });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('skills over REST', () => {
  it('[AG-US3-AC2] are listed with counts and progress; for an identity, of tools it may call', async () => {
    await using api = await opened();
    const writing = { id: 'writing', name: 'Writing', description: 'Texts.', custom: false };
    expect(await get(api, skills)).toEqual({
      status: 200,
      body: {
        skills: [{ ...writing, tool_count: 2, primary_tool_count: 2 }],
        total: 1,
        metadata: {
          total_tools: 2,
          classified_tools: 2,
          unclassified_tools: 0,
          open_suggestions: 1,
          classification: { status: 'RUNNING', progress: { done: 3, total: 9 } },
        },
      },
    });
    expect((await get(api, skills, agentToken)).body).toEqual({
      skills: [{ ...writing, tool_count: 1, primary_tool_count: 1 }],
      total: 1,
      metadata: {
        total_tools: 1,
        classified_tools: 1,
        unclassified_tools: 0,
        classification: { status: 'RUNNING' },
      },
    });
    expect((await get(api, `${skills}?server_id=a`)).body).toMatchObject({ metadata: { total_tools: 2 } });
    expect(await get(api, `${skills}?server_id=none`)).toMatchObject({ status: 404 });
  });

  it('[AG-US3-AC2] [AG-US3-AC3] show their tools, most confident first, to callers that may use them', async () => {
    await using api = await opened();
    const { body } = await get(api, `${skills}/writing/tools`);
    expect(body).toMatchObject({ skill: { id: 'writing', tool_count: 2 }, total: 2 });
    expect(body.tools).toMatchObject([
      { name: 'a.forbidden', skills: [{ id: 'writing', confidence: 0.9 }] },
      { name: 'a.x', primary_skill_id: 'writing', classified_by: 'rules' },
    ]);
    const seen = await get(api, `${skills}/writing/tools`, agentToken);
    expect(seen.body).toMatchObject({ skill: { tool_count: 1 }, tools: [{ name: 'a.x' }], total: 1 });
    expect(await get(api, `${skills}/flying/tools`)).toMatchObject({
      status: 404,
      body: { code: 'skill_not_found', error_type: 'NotFoundError' },
    });
    expect(await get(api, '/api/v1/tools/a/forbidden/skills', agentToken)).toMatchObject({ status: 404 });
  });

  it('[AG-US3-AC8] are accepted or dismissed when suggested', async () => {
    await using api = await opened();
    const decide = (id: string, decision: string) =>
      api.send('POST', `${skills}/suggestions/${id}/${decision}`, '');
    expect((await get(api, `${skills}/suggestions`)).body).toMatchObject({
      suggestions: [{ id: 'own-1', name: 'Poems', suggested_by: 'model', tools: [{ name: 'a.x' }] }],
      total: 1,
    });
    expect(await decide('own-1', 'reopen')).toMatchObject({ status: 409 });
    expect(await decide('own-1', 'accept')).toEqual({
      status: 200,
      body: { id: 'own-1', status: 'ACCEPTED' },
    });
    expect((await get(api, skills)).body).toMatchObject({ total: 2, metadata: { open_suggestions: 0 } });
    expect((await get(api, skills, agentToken)).body).toMatchObject({ total: 1 });
    expect(await decide('own-1', 'dismiss')).toMatchObject({
      status: 409,
      body: { error_type: 'ConflictError', code: 'suggestion_decided' },
    });
    expect(await decide('own-1', 'reopen')).toMatchObject({ status: 200, body: { status: 'OPEN' } });
    expect(await decide('own-1', 'dismiss')).toMatchObject({ status: 200, body: { status: 'DISMISSED' } });
    expect(await decide('own-2', 'accept')).toMatchObject({
      status: 404,
      body: { error_type: 'NotFoundError', code: 'skill.unknown' },
    });
  });

  it('[AG-US3-AC3] of a tool are corrected by hand, and the correction is undone', async () => {
    await using api = await opened();
    await api.send('POST', `${skills}/suggestions/own-1/accept`, '');
    const corrected = await api.send('PUT', ofTool, { skill_ids: ['own-1', 'writing'] });
    expect(corrected).toMatchObject({
      status: 200,
      body: { name: 'a.x', primary_skill_id: 'own-1', classified_by: 'person' },
    });
    expect(await api.send('PUT', ofTool, { skill_ids: ['writing', 'flying'] })).toMatchObject({
      status: 422,
      body: { code: 'skill_not_found', fields: [{ path: 'skill_ids.1' }] },
    });
    for (const skill_ids of [['a', 'b', 'c', 'd'], ['writing', 'writing'], 'writing'])
      expect((await api.send('PUT', ofTool, { skill_ids })).status).toBe(422);
    const nobody = await api.send('PUT', '/api/v1/tools/a/y/skills', { skill_ids: [] });
    expect(nobody).toMatchObject({ status: 404, body: { error_type: 'ToolNotFoundError' } });
    const back = await api.ask(ofTool, { method: 'DELETE' });
    expect(await back.json()).toMatchObject({ primary_skill_id: 'writing', classified_by: 'rules' });
  });

  it('[AG-US3-AC1] are reclassified for all servers or some', async () => {
    await using api = await opened();
    const reclassify = (body: object) => api.send('POST', `${skills}/reclassify`, body);
    expect(await reclassify({})).toEqual({ status: 202, body: { status: 'ACCEPTED', servers: 1, tools: 2 } });
    await api.send('PUT', ofTool, { skill_ids: ['writing'] });
    expect((await reclassify({ server_filter: ['a', 'uuid-a'] })).body).toMatchObject({
      servers: 1,
      tools: 1,
    });
    expect(await reclassify({ server_filter: ['none'] })).toMatchObject({ status: 404 });
    expect(await reclassify({ server_filter: [] })).toMatchObject({ status: 422 });
  });

  it.each([
    ['GET', `${skills}/suggestions`],
    ['POST', `${skills}/suggestions/own-1/accept`],
    ['POST', `${skills}/reclassify`],
    ['PUT', ofTool],
    ['DELETE', ofTool],
  ])('are the administrator’s to decide on: %s %s', async (method, path) => {
    await using api = await opened();
    const { status } = await api.ask(path, { method, token: agentToken });
    expect(status).toBe(403);
  });
});
