import type { SkillShare } from '../../../../shared/model/tool/skill.ts';

/** Skills of earlier versions, and those that replace them: databases and backups still have the old ones. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['files', 'file-management'],
  ['code-hosting', 'version-control'],
  ['code-analysis', 'software-development'],
  ['ci-cd', 'cloud-devops'],
  ['issue-tracking', 'project-management'],
  ['messaging', 'communication'],
  ['email', 'communication'],
  ['calendar', 'calendar-time'],
  ['documents', 'documents-office'],
  ['web-content', 'web-search'],
  ['web-browsing', 'automation'],
  ['reasoning', 'ai-models'],
  ['maps-location', 'maps-travel'],
  ['time-units', 'calendar-time'],
  ['payments', 'ecommerce'],
  ['crm', 'crm-marketing'],
  ['cloud-infrastructure', 'cloud-devops'],
  ['command-execution', 'system-terminal'],
  ['finance-markets', 'finance'],
  ['smart-home', 'iot-smart-home'],
  ['user-administration', 'security'],
  ['machine-learning', 'ai-models'],
  ['language', 'utilities'],
  ['games-leisure', 'entertainment-gaming'],
  ['health-science', 'health-fitness'],
  ['travel-food', 'maps-travel'],
  ['other', 'utilities'],
]);

/** Replaces the skills of earlier versions; of several that become one, the most confident stays. */
export function withCurrentSkills(shares: readonly SkillShare[]): readonly SkillShare[] {
  const current = new Map<string, SkillShare>();
  for (const { id: former, confidence } of shares) {
    const id = replaced.get(former) ?? former;
    if (confidence > (current.get(id)?.confidence ?? -1)) current.set(id, { id, confidence });
  }
  return [...current.values()];
}
