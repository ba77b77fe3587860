import type { Decision, SkillSuggestion, SkillsView } from '../../../../shared/model/tool/skill.ts';
import type { ApiPorts } from '../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import {
  decidedSchema,
  reclassifyAnswerSchema,
  reclassifySchema,
  suggestionListSchema,
  suggestionParam,
} from '../schema/skill.ts';
import type { ApiApp } from './api-app.ts';
import { knownServer } from './known-servers.ts';
import { skilledTools } from './skill-answer.ts';

const base = '/api/v1/skills';
const about = { tags: ['skills'], middleware: admin };

const listRoute = defineRoute({
  ...about,
  method: 'get',
  path: `${base}/suggestions`,
  summary: 'Suggested skills that some tools seem to need, for review.',
  responses: { 200: jsonAnswer('The suggestions.', suggestionListSchema) },
});
const acceptRoute = decisionRoute('accept', 'Turns a suggestion into a skill and assigns it to its tools.');
const dismissRoute = decisionRoute('dismiss', 'Dismisses a suggestion; it is not made again.');
const reopenRoute = decisionRoute('reopen', 'Reopens a suggestion that was accepted or dismissed.');
const reclassifyRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/reclassify`,
  summary: 'Classifies tools again in the background. Corrections stay.',
  request: { body: jsonBody(reclassifySchema) },
  errors: [404, 422],
  responses: { 202: jsonAnswer('Started; see the metadata of the skills.', reclassifyAnswerSchema) },
});

function decisionRoute<D extends Decision>(decision: D, summary: string) {
  return defineRoute({
    ...about,
    method: 'post',
    path: `${base}/suggestions/{id}/${decision}`,
    summary,
    request: { params: suggestionParam },
    errors: [404, 409, 422],
    responses: { 200: jsonAnswer('Decided.', decidedSchema) },
  });
}

/** Routes for decisions on skills. */
export function skillReviewRoutes(app: ApiApp, ports: ApiPorts): void {
  const { hub } = ports;
  const decide = async (id: string, decision: Decision) => {
    refuseDecided(await hub.run('skill.view', undefined), id, decision);
    await hub.run('skill.decide', { suggestion: id, decision });
    return { id, status: statuses[decision] };
  };
  app.openapi(listRoute, async (context) => {
    const suggestions = (await hub.run('skill.view', undefined)).suggestions.map(suggestionAnswer);
    return context.json({ suggestions, total: suggestions.length }, 200);
  });
  app.openapi(acceptRoute, async (context) =>
    context.json(await decide(context.req.valid('param').id, 'accept'), 200),
  );
  app.openapi(dismissRoute, async (context) =>
    context.json(await decide(context.req.valid('param').id, 'dismiss'), 200),
  );
  app.openapi(reopenRoute, async (context) =>
    context.json(await decide(context.req.valid('param').id, 'reopen'), 200),
  );
  app.openapi(reclassifyRoute, async (context) => {
    const keys = await keysOf(ports, context.req.valid('json').server_filter);
    const filter = keys === undefined ? {} : { servers: keys };
    const all = await skilledTools(ports, context.get('caller'), filter);
    await hub.run('skill.reclassify', { servers: keys });
    const tools = all.filter(({ tool }) => tool.by !== 'person').length;
    const servers = keys?.length ?? ports.hub.servers().length;
    return context.json({ status: 'ACCEPTED' as const, servers, tools }, 202);
  });
}

const statuses = { accept: 'ACCEPTED', dismiss: 'DISMISSED', reopen: 'OPEN' } as const;

/** Refuses to reopen an open suggestion, and to decide about an accepted one; the hub refuses the rest. */
function refuseDecided({ skills, suggestions }: SkillsView, id: string, decision: Decision): void {
  const isOpen = suggestions.some((suggestion) => suggestion.id === id);
  const isSkill = skills.some((skill) => skill.id === id && skill.own);
  if (decision === 'reopen' ? !isOpen : !isSkill) return;
  const sentence = isOpen ? 'The suggestion is open.' : 'The suggestion has been accepted.';
  const fix = isOpen ? 'Accept or dismiss it.' : 'Reopen it first.';
  throw new ApiError(409, 'ConflictError', 'suggestion_decided', sentence, { fix });
}

async function keysOf(ports: ApiPorts, filter: readonly string[] | undefined) {
  if (filter === undefined) return undefined;
  const servers = await Promise.all(filter.map((idOrKey) => knownServer(ports, idOrKey)));
  return [...new Set(servers.map(({ record }) => record.key))];
}

function suggestionAnswer({ id, name, description, by, tools }: SkillSuggestion) {
  return {
    id,
    name,
    description,
    suggested_by: by,
    tools: tools.map((tool) => ({
      name: `${tool.serverKey}.${tool.name}`,
      original_name: tool.name,
      server_name: tool.serverKey,
    })),
  };
}
