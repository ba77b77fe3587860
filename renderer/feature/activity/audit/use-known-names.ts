import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';
import { knownValue, useEngine } from '../../../store/hook/use-engine.ts';
import { useClients, useModel, useServers } from '../../../store/model-context.tsx';

interface KnownNames {
  readonly actors: readonly string[];
  readonly servers: readonly string[];
  readonly tools: readonly string[];
}

/** Collects the names to choose from: those that exist now and those in the rows on screen. */
export function useKnownNames(rows: readonly AuditRow[], serverKey: string | undefined): KnownNames {
  // Only suggestions, so an error is not shown.
  const access = knownValue(useEngine('access.get', undefined));
  const clients = useClients();
  const servers = useServers(({ order }) => order);
  const tools = useStore(useModel().mirrors.tools, (state) => state);
  return useMemo(() => {
    const ofServer = serverKey === undefined ? Object.values(tools).flat() : (tools[serverKey] ?? []);
    return {
      actors: distinct([
        'window',
        'admin',
        'hub',
        ...(access?.identities ?? []).map(({ name }) => name),
        ...clients.map(({ name }) => name),
        ...rows.map(({ actor }) => actor),
      ]),
      servers: distinct([...servers, ...rows.map((row) => row.serverKey)]),
      tools: distinct([...ofServer.map(({ name }) => name), ...rows.map(({ tool }) => tool)]),
    };
  }, [access, clients, servers, tools, rows, serverKey]);
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  const named = values.filter((value) => value !== undefined && value !== '');
  return [...new Set(named as readonly string[])].sort();
}
