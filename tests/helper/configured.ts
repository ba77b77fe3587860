import type { ConfiguredServer } from '../../electron/engine/config/contract.ts';

/** A server as the config room makes one of an entry without options. */
export function configured(key: string, changes: Partial<ConfiguredServer> = {}): ConfiguredServer {
  return {
    key,
    enabled: true,
    display: `run ${key}`,
    restart: 'always',
    start: 'auto',
    isolation: 'shared',
    health: {},
    fallback: new Map(),
    disabledTools: new Set(),
    guard: 'changes',
    transport: 'stdio',
    target: { ok: true, value: { kind: 'stdio', command: 'run', args: [key], env: {} } },
    fingerprint: key,
    ...changes,
  };
}
