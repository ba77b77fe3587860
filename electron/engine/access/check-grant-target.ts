import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { GrantScope } from '../../../shared/model/access/access.ts';
import { scopeText } from '../../../shared/model/access/access-text.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { grantTarget, serverIn } from './rules/grant-target.ts';

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
    return `Nothing matches ${scopeText(scope)} yet; the permission applies once it exists.`;
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
