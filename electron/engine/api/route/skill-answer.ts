import type { Skill, SkillsView, ToolSkills } from '../../../../shared/model/tool/skill.ts';
import type { ApiCaller, ApiPorts } from '../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { toolId } from '../tool-id.ts';
import { type KnownServer, knownServers } from './known-servers.ts';
import { serverInfo } from './server-answer.ts';
import { maySee } from './tools.ts';

/** A tool with its skills and its server. */
export interface SkilledTool {
  readonly server: KnownServer;
  readonly tool: ToolSkills;
}

/** Returns the tools of configured servers that the caller may call. */
export async function skilledTools(
  ports: ApiPorts,
  caller: ApiCaller,
  filter: { readonly skill?: string; readonly servers?: readonly string[] } = {},
): Promise<readonly SkilledTool[]> {
  const servers = new Map((await knownServers(ports)).map((server) => [server.record.key, server]));
  const { skill, servers: keys } = filter;
  const found = await ports.hub.run('skill.tools', { skill, servers: keys && [...keys] });
  return found.tools.flatMap((tool) => {
    const server = servers.get(tool.serverKey);
    if (server === undefined || !maySee(ports, caller, tool.serverKey, tool.name)) return [];
    return [{ server, tool }];
  });
}

/**
 * Returns skills with counts of these tools. Identities see custom skills only if one of their tools has
 * them.
 */
export function skillAnswers(
  { skills }: SkillsView,
  tools: readonly SkilledTool[],
  { kind }: ApiCaller,
): readonly ReturnType<typeof skillAnswer>[] {
  const having = new Map<string, number>();
  const primary = new Map<string, number>();
  for (const { tool } of tools) {
    for (const { id } of tool.skills) count(having, id);
    if (tool.primarySkill !== undefined) count(primary, tool.primarySkill);
  }
  return skills
    .filter(({ id, own }) => kind === 'admin' || own === undefined || having.has(id))
    .map((skill) => skillAnswer(skill, having.get(skill.id) ?? 0, primary.get(skill.id) ?? 0));
}

function count(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

function skillAnswer({ id, name, description, own }: Skill, having: number, primary: number) {
  return {
    id,
    name,
    description,
    custom: own === true,
    tool_count: having,
    primary_tool_count: primary,
  };
}

export function toolSkillsAnswer({ server: { record, view }, tool }: SkilledTool) {
  return {
    id: toolId(record.id, tool.name),
    name: `${record.key}.${tool.name}`,
    original_name: tool.name,
    source_server: serverInfo(record, view),
    is_classified: tool.isClassified,
    skills: tool.skills.map(({ id, confidence }) => ({ id, confidence })),
    primary_skill_id: tool.primarySkill ?? null,
    classified_by: tool.by === 'nobody' ? null : tool.by,
  };
}

export function unknownSkill(id: string): ApiError {
  const sentence = `There is no skill ${JSON.stringify(id)}.`;
  const fix = 'List the skills and use an id from there.';
  return new ApiError(404, 'NotFoundError', 'skill_not_found', sentence, { fix });
}
