import type { ServerView } from '../../../shared/model/server/server.ts';
import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import { serverView } from './sample-servers.ts';

/** Returns a server as it looks just after its entry was added. */
export function fromEntry(key: string, entry: Record<string, unknown>): ServerView {
  const args = Array.isArray(entry.args) ? entry.args : [];
  const target = typeof entry.url === 'string' ? entry.url : [entry.command, ...args].join(' ');
  return serverView({
    key,
    status: 'connecting',
    target,
    since: Date.now(),
    ...(typeof entry.url === 'string' ? { transport: 'http' as const } : {}),
  });
}

export function withoutProblem({ problem: _solved, nextTryAt: _now, ...server }: ServerView): ServerView {
  return server;
}

export function definedOnly(patch: SettingsPatch): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
