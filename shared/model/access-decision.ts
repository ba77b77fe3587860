import type { DecisionCode, Effect, Grant, GrantScope, Identity, Risk, ToolToken } from './access.ts';
import { matchesGlob } from './glob.ts';

/** A requested tool, with what the decision depends on. */
export interface RequestedTool {
  readonly serverKey: string;
  /** Original name at its server. */
  readonly name: string;
  readonly risk: Risk;
}

export interface Verdict {
  readonly effect: Effect;
  readonly code: DecisionCode;
  /** The deciding grant; if none is in force, one that has expired. */
  readonly grant?: Grant;
}

/**
 * Decides what an identity may do with a tool (REQ-MCP-AUTH-001..003). Nothing is allowed without a grant. A
 * denying grant beats all others; otherwise the most specific grant decides, and among equals one that asks.
 * A tool token satisfies a grant that needs one, and answers a grant that asks. The general rule about
 * destructive tools overrides only a grant of everything.
 */
export function decide(
  identity: Identity,
  grants: readonly Grant[],
  tokens: readonly ToolToken[],
  tool: RequestedTool,
  now: number,
  askDestructive = false,
): Verdict {
  const ended = endedVerdict(identity, now);
  if (ended !== undefined) return ended;
  const covering = grants.filter((grant) => covers(grant.scope, tool));
  const matching = covering.filter((grant) => isInForce(grant, now));
  const denying = matching.find(({ effect }) => effect === 'deny');
  if (denying !== undefined) return { effect: 'deny', code: 'denied', grant: denying };
  const hasToken = tokens.some((token) => isFor(token, tool) && token.expiresAt > now);
  const usable = hasToken ? matching : matching.filter(({ needsToken }) => needsToken !== true);
  const [first, ...others] = usable;
  if (first === undefined) return denial(matching, covering);
  const best = others.reduce((one, other) => (rank(other) > rank(one) ? other : one), first);
  if (best.effect === 'ask' && !hasToken) return { effect: 'ask', code: 'asks', grant: best };
  const isGeneral = best.scope.kind === 'all' && best.effect === 'allow';
  if (askDestructive && isGeneral && tool.risk === 'high' && !hasToken)
    return { effect: 'ask', code: 'asks_destructive' };
  const isByToken = best.effect === 'ask' || best.needsToken === true;
  return { effect: 'allow', code: isByToken ? 'granted_with_token' : 'granted', grant: best };
}

/** Returns the denial for a revoked or expired identity. */
export function endedVerdict({ revokedAt, expiresAt }: Identity, now: number): Verdict | undefined {
  if (revokedAt !== undefined) return { effect: 'deny', code: 'identity_revoked' };
  if (expiresAt !== undefined && expiresAt <= now) return { effect: 'deny', code: 'identity_expired' };
  return undefined;
}

export function isInForce({ expiresAt }: Pick<Grant, 'expiresAt'>, now: number): boolean {
  return expiresAt === undefined || expiresAt > now;
}

export function covers(scope: GrantScope, { serverKey, name, risk }: RequestedTool): boolean {
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

function isFor(token: ToolToken, { serverKey, name }: RequestedTool): boolean {
  return token.serverKey === serverKey && token.tool === name;
}

/** Chooses the reason for a denial; `about` includes expired grants. */
function denial([needingToken]: readonly Grant[], covering: readonly Grant[]): Verdict {
  if (needingToken === undefined) {
    const ended = covering.find(({ effect }) => effect !== 'deny');
    return { effect: 'deny', code: 'no_grant', ...(ended === undefined ? {} : { grant: ended }) };
  }
  return { effect: 'deny', code: 'token_needed', grant: needingToken };
}

/** Ranks grants; the highest rank decides. */
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
