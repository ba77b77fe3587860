import type { SkillsView } from '../../../../shared/model/tool/skill.ts';
import type { ApiCaller, ApiPorts } from '../contract.ts';
import { ApiError, unknownTool } from '../http/api-error.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import { correctionSchema, toolSkillsSchema } from '../schema/skill.ts';
import { toolParam } from '../schema/tool.ts';
import type { ApiApp } from './api-app.ts';
import { knownServer } from './known-servers.ts';
import { type SkilledTool, skilledTools, toolSkillsAnswer } from './skill-answer.ts';

const about = {
  tags: ['skills'],
  path: '/api/v1/tools/{server_id}/{tool_name}/skills' as const,
  errors: [404 as const, 422 as const],
  responses: { 200: jsonAnswer('The tool and its skills.', toolSkillsSchema) },
};

const getRoute = defineRoute({
  ...about,
  method: 'get',
  summary: 'The skills of one tool.',
  request: { params: toolParam },
});
const correctRoute = defineRoute({
  ...about,
  middleware: admin,
  method: 'put',
  summary: 'Sets the skills of one tool. Classification does not change them later.',
  request: { params: toolParam, body: jsonBody(correctionSchema) },
});
const releaseRoute = defineRoute({
  ...about,
  middleware: admin,
  method: 'delete',
  summary: 'Undoes a correction and classifies the tool again.',
  request: { params: toolParam },
});

/** Routes for the skills of one tool. */
export function toolSkillsRoutes(app: ApiApp, ports: ApiPorts): void {
  const { hub } = ports;
  app.openapi(getRoute, async (context) => {
    const found = await skilledTool(ports, context.get('caller'), context.req.valid('param'));
    return context.json(toolSkillsAnswer(found), 200);
  });
  app.openapi(correctRoute, async (context) => {
    const place = context.req.valid('param');
    const { skill_ids } = context.req.valid('json');
    const { tool } = await skilledTool(ports, context.get('caller'), place);
    refuseUnknown(await hub.run('skill.view', undefined), skill_ids);
    await hub.run('skill.correct', { serverKey: tool.serverKey, name: tool.name, skills: skill_ids });
    return context.json(toolSkillsAnswer(await skilledTool(ports, context.get('caller'), place)), 200);
  });
  app.openapi(releaseRoute, async (context) => {
    const place = context.req.valid('param');
    const { tool } = await skilledTool(ports, context.get('caller'), place);
    await hub.run('skill.release', { serverKey: tool.serverKey, name: tool.name });
    return context.json(toolSkillsAnswer(await skilledTool(ports, context.get('caller'), place)), 200);
  });
}

/** Rejects with 404, including tools that the caller may not call. */
async function skilledTool(
  ports: ApiPorts,
  caller: ApiCaller,
  { server_id, tool_name }: { readonly server_id: string; readonly tool_name: string },
): Promise<SkilledTool> {
  const { record } = await knownServer(ports, server_id);
  const tools = await skilledTools(ports, caller, { servers: [record.key] });
  const found = tools.find(({ tool }) => tool.name === tool_name);
  if (found === undefined) throw unknownTool(`${record.key}.${tool_name}`);
  return found;
}

function refuseUnknown({ skills }: SkillsView, ids: readonly string[]): void {
  const known = new Set(skills.map(({ id }) => id));
  const fields = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `skill_ids.${index}`, message: `there is no skill ${JSON.stringify(id)}` }],
  );
  if (fields.length === 0) return;
  const sentence = `The request is invalid: ${fields[0]?.path}: ${fields[0]?.message}.`;
  const fix = 'List the skills and use ids from there.';
  throw new ApiError(422, 'BadRequestError', 'skill_not_found', sentence, { fields, fix });
}
