import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';
import { useClients, useModel, useServers } from '../../../store/model-context.tsx';

interface KnownNames {
  readonly actors: readonly string[];
  readonly servers: readonly string[];
  readonly tools: readonly string[];
}

/** Collects the names to choose from: those that exist now and those in the rows on screen. */
export function useKnownNames(rows: readonly AuditRow[], serverKey: string | undefined): KnownNames {
  const identities = useIdentityNames();
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
        ...identities,
        ...clients.map(({ name }) => name),
        ...rows.map(({ actor }) => actor),
      ]),
      servers: distinct([...servers, ...rows.map((row) => row.serverKey)]),
      tools: distinct([...ofServer.map(({ name }) => name), ...rows.map(({ tool }) => tool)]),
    };
  }, [identities, clients, servers, tools, rows, serverKey]);
}

/**
 * Fetches the names of all clients and agents ever seen. Errors are ignored, since these are only
 * suggestions.
 */
function useIdentityNames(): readonly string[] {
  const { link } = useModel();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let wanted = true;
    void link.call('access.get', undefined).then((answer) => {
      if (wanted && answer.ok) setNames(answer.value.identities.map(({ name }) => name));
    });
    return () => {
      wanted = false;
    };
  }, [link]);
  return names;
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  const named = values.filter((value) => value !== undefined && value !== '');
  return [...new Set(named as readonly string[])].sort();
}
