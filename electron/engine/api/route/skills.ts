import type { SkillsView } from '../../../../shared/model/skill.ts';
import type { ApiCaller, ApiPorts } from '../contract.ts';
import { defineRoute, jsonAnswer } from '../http/define-route.ts';
import { skillListSchema, skillParam, skillQuery, skillToolsSchema } from '../schema/skill.ts';
import type { ApiApp } from './api-app.ts';
import { knownServer } from './known-servers.ts';
import {
  type SkilledTool,
  skillAnswers,
  skilledTools,
  toolSkillsAnswer,
  unknownSkill,
} from './skill-answer.ts';

const about = { tags: ['skills'], method: 'get' as const };

const listRoute = defineRoute({
  ...about,
  path: '/api/v1/skills',
  summary: 'Skills, with counts of the tools that the caller may call.',
  request: { query: skillQuery },
  errors: [404, 422],
  responses: { 200: jsonAnswer('The skills and the progress of their classification.', skillListSchema) },
});
const toolsRoute = defineRoute({
  ...about,
  path: '/api/v1/skills/{id}/tools',
  summary: 'The tools of one skill that the caller may call, most confident first.',
  request: { params: skillParam, query: skillQuery },
  errors: [404, 422],
  responses: { 200: jsonAnswer('The tools.', skillToolsSchema) },
});

/** Routes for browsing by skill. */
export function skillRoutes(app: ApiApp, ports: ApiPorts): void {
  app.openapi(listRoute, async (context) => {
    const caller = context.get('caller');
    const tools = await skilledTools(ports, caller, await ofServer(ports, context.req.valid('query')));
    const view = await ports.hub.run('skill.view', undefined);
    const skills = [...skillAnswers(view, tools, caller)];
    return context.json({ skills, total: skills.length, metadata: metadata(view, tools, caller) }, 200);
  });
  app.openapi(toolsRoute, async (context) => {
    const { id } = context.req.valid('param');
    const caller = context.get('caller');
    const filter = { ...(await ofServer(ports, context.req.valid('query'))), skill: id };
    const having = await skilledTools(ports, caller, filter);
    const view = await ports.hub.run('skill.view', undefined);
    const skill = skillAnswers(view, having, caller).find((one) => one.id === id);
    if (skill === undefined) throw unknownSkill(id);
    const tools = [...having].sort((one, other) => confidenceOf(other, id) - confidenceOf(one, id));
    return context.json({ skill, tools: tools.map(toolSkillsAnswer), total: tools.length }, 200);
  });
}

async function ofServer(ports: ApiPorts, { server_id }: { readonly server_id?: string | undefined }) {
  if (server_id === undefined) return {};
  return { servers: [(await knownServer(ports, server_id)).record.key] };
}

function metadata({ suggestions, progress }: SkillsView, tools: readonly SkilledTool[], caller: ApiCaller) {
  const classified = tools.filter(({ tool }) => tool.isClassified).length;
  const isAdmin = caller.kind === 'admin';
  return {
    total_tools: tools.length,
    classified_tools: classified,
    unclassified_tools: tools.length - classified,
    ...(isAdmin ? { open_suggestions: suggestions.length } : {}),
    classification: {
      status: progress === undefined ? ('IDLE' as const) : ('RUNNING' as const),
      ...(isAdmin && progress !== undefined ? { progress } : {}),
    },
  };
}

function confidenceOf({ tool }: SkilledTool, skill: string): number {
  return tool.skills.find(({ id }) => id === skill)?.confidence ?? 0;
}
