import type { Hub } from '../../engine/engine.ts';
import type { Restart } from './restart-state.ts';

/** The audit log tells of an update that was installed before this start, and of one that was to be and was not. */
export function noteUpdate(hub: Pick<Hub, 'note'>, restart: Restart | undefined, version: string): void {
  if (restart === undefined) return;
  const isThere = restart.wanted === version;
  hub.note({
    kind: 'hub',
    action: 'install-update',
    outcome: isThere ? 'ok' : 'failed',
    text: isThere
      ? `Version ${version}.`
      : `Version ${restart.wanted} was not installed; version ${version} is still running.`,
  });
}
