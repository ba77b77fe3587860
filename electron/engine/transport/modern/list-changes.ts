import { isRecord } from '../../../../shared/json.ts';

/** Lists whose changes a listen may ask for: its member, the capability that announces it, the notification. */
export const listChanges = [
  { member: 'toolsListChanged', capability: 'tools', method: 'notifications/tools/list_changed' },
  { member: 'promptsListChanged', capability: 'prompts', method: 'notifications/prompts/list_changed' },
  { member: 'resourcesListChanged', capability: 'resources', method: 'notifications/resources/list_changed' },
] as const;

/** Returns the lists whose changes a side announces with its capabilities. */
export function announcedChanges(
  capabilities: Readonly<Record<string, unknown>>,
): (typeof listChanges)[number][] {
  return listChanges.filter(({ capability }) => hasFlag(capabilities[capability], 'listChanged'));
}

/** Tells whether a capability has a flag set. */
export function hasFlag(capability: unknown, flag: string): boolean {
  return isRecord(capability) && capability[flag] === true;
}
