import { secretKeepers } from '../../../shared/model/hub/hub.ts';
import type { SecretsView, SecretUse } from '../../../shared/model/hub/secret.ts';
import type { ConfiguredServer } from '../config/contract.ts';
import type { KnownSecret } from './secret-store.ts';

type Referring = Pick<ConfiguredServer, 'key' | 'secretReferences'>;

/** Returns the visible part of the vault: names, the servers that refer to them, and missing names. */
export function secretsView(known: readonly KnownSecret[], servers: readonly Referring[]): SecretsView {
  const uses = usesByName(servers);
  const stored = new Set(known.map(({ name }) => name));
  return {
    secrets: known.map(({ name, box, storedAt, readable }) => {
      const keeper = secretKeepers.find((kind) => kind === box);
      return {
        name,
        readable,
        usedBy: uses.get(name) ?? [],
        ...(keeper === undefined ? {} : { keeper }),
        ...(storedAt === undefined ? {} : { storedAt }),
      };
    }),
    missing: [...uses]
      .filter(([name]) => !stored.has(name))
      .map(([name, usedBy]) => ({ name, usedBy }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** Uses of each secret, in server order. */
function usesByName(servers: readonly Referring[]): ReadonlyMap<string, readonly SecretUse[]> {
  const uses = new Map<string, readonly SecretUse[]>();
  for (const { key, secretReferences = [] } of servers) {
    for (const name of new Set(secretReferences.map((reference) => reference.name))) {
      const fields = secretReferences.filter((one) => one.name === name).map(({ field }) => field);
      uses.set(name, [...(uses.get(name) ?? []), { key, fields }]);
    }
  }
  return uses;
}
