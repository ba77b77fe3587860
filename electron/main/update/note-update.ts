import type { Engine } from '../../engine/engine.ts';
import type { Restart } from './restart-memory.ts';

/** Records an update in the audit log: installed before this start, or failed. */
export function noteUpdate(
  audit: Pick<Engine['audit'], 'note'>,
  restart: Restart | undefined,
  version: string,
): void {
  if (restart === undefined) return;
  const isThere = restart.wanted === version;
  audit.note({
    kind: 'hub',
    action: 'install-update',
    outcome: isThere ? 'ok' : 'failed',
    text: isThere
      ? `Version ${version}.`
      : `Version ${restart.wanted} was not installed; version ${version} is still running.`,
  });
}
