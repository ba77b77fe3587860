import type { AuditKind, AuditRow } from './audit.ts';

export const auditKindNames: Readonly<Record<AuditKind, string>> = {
  invocation: 'Call',
  server: 'Server',
  identity: 'Identity',
  grant: 'Grant',
  token: 'Token',
  approval: 'Approval',
  hub: 'Patchbay',
};

/** Returns whether the row is a status change of a server, which no one asked for. */
export function isStatusChange({ action }: AuditRow): boolean {
  return action === 'observed';
}

/** Returns the action in two or three words: `Tool call`, `Server: restart`. */
export function actionText({ kind, action, method }: AuditRow): string {
  if (kind === 'invocation') return calls[method ?? ''] ?? method ?? 'Call';
  return `${auditKindNames[kind]}: ${actions[action] ?? action.replaceAll(/[-_]/g, ' ')}`;
}

/** Clearer words for stored actions. */
const actions: Readonly<Record<string, string>> = {
  observed: 'status',
  'begun-anew': 'audit log restarted',
  lost: 'audit entries lost',
  'rows-missing': 'audit rows missing',
};

const calls: Readonly<Record<string, string>> = {
  'tools/call': 'Tool call',
  'prompts/get': 'Prompt',
  'resources/read': 'Resource',
};
