import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { GrantScope } from '../../../../shared/model/access/access.ts';
import { scopeText } from '../../../../shared/model/access/access-text.ts';
import { matchesGlob } from '../../../../shared/model/access/glob.ts';
import type { Catalogue, CatalogueServer } from '../../catalogue/contract.ts';

/**
 * Existence of the target of a grant. `ahead`: it may still appear, because its server has not listed
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
function serverIn(pattern: string): string | undefined {
  return /^([^*?:]+):/.exec(pattern)?.[1];
}

/**
 * Checks that the target of a grant exists, since a missing one is usually a typo. Throws ProblemError unless
 * `isMeant`; returns a note if the target may still appear.
 */
export function checkGrantTarget(
  scope: GrantScope,
  catalogue: Catalogue,
  isForced: boolean,
): string | undefined {
  const target = grantTarget(scope, catalogue);
  if (target === 'there') return undefined;
  if (target === 'ahead' || isForced)
    return `Nothing matches ${scopeText(scope)} yet; the rule applies once it exists.`;
  const forceHint = 'To allow it anyway, use --yes.';
  if (target === 'no-tool') {
    const sentence = `There is no tool ${scopeText(scope)}.`;
    const fix = `Look up tool names in Patchbay, or with "patchbay search". ${forceHint}`;
    throw new ProblemError(problem('call.unknown_tool', sentence, fix));
  }
  const { servers, off, silent = [] } = catalogue;
  const keys = [...servers, ...off].map(({ key }) => key).concat(silent);
  const known = keys.length === 0 ? 'No servers yet.' : `Servers: ${keys.join(', ')}.`;
  const sentence = `There is no server called ${JSON.stringify(serverOf(scope))}.`;
  throw new ProblemError(problem('config.unknown_server', sentence, `${known} ${forceHint}`));
}

function serverOf(scope: GrantScope): string | undefined {
  return scope.kind === 'pattern'
    ? serverIn(scope.pattern)
    : 'serverKey' in scope
      ? scope.serverKey
      : undefined;
}
