import type { DecisionCode, Effect, Grant, GrantScope, Identity, Risk, ToolToken } from './access.ts';
import { matchesGlob } from './glob.ts';

/** A tool that somebody wants to call, as it is judged. */
export interface AskedTool {
  readonly serverKey: string;
  /** Its own name at its server. */
  readonly name: string;
  readonly risk: Risk;
}

export interface Verdict {
  readonly effect: Effect;
  readonly code: DecisionCode;
  /** Which decided; where none is in force, one that was. */
  readonly grant?: Grant;
}

/**
 * What an identity may do with a tool (REQ-MCP-AUTH-001..003). Nothing, unless a grant says so. A grant that denies beats
 * all others; else the most specific one decides, and of equals one that asks. A token of the tool is what a grant that
 * needs one needs, and the answer to one that asks. The general rule about destructive tools beats a grant of everything only.
 */
export function decide(
  identity: Identity,
  grants: readonly Grant[],
  tokens: readonly ToolToken[],
  tool: AskedTool,
  now: number,
  askDestructive = false,
): Verdict {
  const ended = endOf(identity, now);
  if (ended !== undefined) return ended;
  const about = grants.filter((grant) => covers(grant.scope, tool));
  const matching = about.filter((grant) => isInForce(grant, now));
  const denying = matching.find(({ effect }) => effect === 'deny');
  if (denying !== undefined) return { effect: 'deny', code: 'denied', grant: denying };
  const hasToken = tokens.some((token) => isFor(token, tool) && token.expiresAt > now);
  const usable = hasToken ? matching : matching.filter(({ needsToken }) => needsToken !== true);
  const [first, ...others] = usable;
  if (first === undefined) return refusal(matching, about);
  const best = others.reduce((one, other) => (rank(other) > rank(one) ? other : one), first);
  if (best.effect === 'ask' && !hasToken) return { effect: 'ask', code: 'asks', grant: best };
  const isGeneral = best.scope.kind === 'all' && best.effect === 'allow';
  if (askDestructive && isGeneral && tool.risk === 'high' && !hasToken)
    return { effect: 'ask', code: 'asks_destructive' };
  const isByToken = best.effect === 'ask' || best.needsToken === true;
  return { effect: 'allow', code: isByToken ? 'granted_with_token' : 'granted', grant: best };
}

/** Why an identity may do nothing any more. */
export function endOf({ revokedAt, expiresAt }: Identity, now: number): Verdict | undefined {
  if (revokedAt !== undefined) return { effect: 'deny', code: 'identity_revoked' };
  if (expiresAt !== undefined && expiresAt <= now) return { effect: 'deny', code: 'identity_expired' };
  return undefined;
}

export function isInForce({ expiresAt }: Pick<Grant, 'expiresAt'>, now: number): boolean {
  return expiresAt === undefined || expiresAt > now;
}

export function covers(scope: GrantScope, { serverKey, name, risk }: AskedTool): boolean {
  switch (scope.kind) {
    case 'all':
      return true;
    case 'server':
      return scope.serverKey === serverKey;
    case 'tool':
      return scope.serverKey === serverKey && scope.tool === name;
    case 'pattern':
      return matchesGlob(scope.pattern, `${serverKey}:${name}`);
    case 'risk':
      return scope.risk === risk;
  }
}

function isFor(token: ToolToken, { serverKey, name }: AskedTool): boolean {
  return token.serverKey === serverKey && token.tool === name;
}

/** `about`: also those that have ended. */
function refusal([needing]: readonly Grant[], about: readonly Grant[]): Verdict {
  if (needing === undefined) {
    const ended = about.find(({ effect }) => effect !== 'deny');
    return { effect: 'deny', code: 'no_grant', ...(ended === undefined ? {} : { grant: ended }) };
  }
  return { effect: 'deny', code: 'token_needed', grant: needing };
}

/** The higher decides. */
function rank({ scope, effect }: Grant): number {
  return specificity[scope.kind] * 2 + (effect === 'ask' ? 1 : 0);
}

const specificity: Readonly<Record<GrantScope['kind'], number>> = {
  all: 0,
  server: 1,
  risk: 2,
  pattern: 3,
  tool: 4,
};
