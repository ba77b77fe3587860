import type { GrantScope } from '../../../../shared/model/access/access.ts';
import { matchesGlob } from '../../../../shared/model/access/glob.ts';
import type { Catalogue, CatalogueServer } from '../../catalogue/contract.ts';

/**
 * Whether the target of a grant exists. `ahead`: it may still appear, because its server has not listed
 * anything yet or because a pattern matches nothing so far.
 */
export type GrantTarget = 'there' | 'ahead' | 'no-server' | 'no-tool';

export function grantTarget(scope: GrantScope, catalogue: Catalogue): GrantTarget {
  switch (scope.kind) {
    case 'all':
    case 'risk':
      return 'there';
    case 'server':
      return ofServer(scope.serverKey, catalogue, () => 'there');
    case 'tool':
      return ofServer(scope.serverKey, catalogue, ({ offer }) =>
        offer.tools.some(({ name }) => name === scope.tool) ? 'there' : 'no-tool',
      );
    case 'pattern':
      return ofPattern(scope.pattern, catalogue);
  }
}

function ofServer(
  key: string,
  { servers, off, silent = [] }: Catalogue,
  judge: (server: CatalogueServer) => GrantTarget,
): GrantTarget {
  const server = [...servers, ...off].find((one) => one.key === key);
  if (server !== undefined) return server.offer.protocolVersion === '' ? 'ahead' : judge(server);
  return silent.includes(key) ? 'ahead' : 'no-server';
}

function ofPattern(pattern: string, catalogue: Catalogue): GrantTarget {
  const { servers, off } = catalogue;
  const isMatched = [...servers, ...off].some(({ key, offer }) =>
    offer.tools.some(({ name }) => matchesGlob(pattern, `${key}:${String(name)}`)),
  );
  if (isMatched) return 'there';
  const key = serverIn(pattern);
  return key === undefined ? 'ahead' : ofServer(key, catalogue, () => 'ahead');
}

/** Returns the server that a pattern names: the part before its first colon, unless it contains wildcards. */
export function serverIn(pattern: string): string | undefined {
  return /^([^*?:]+):/.exec(pattern)?.[1];
}
