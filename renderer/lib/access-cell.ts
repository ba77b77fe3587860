import type { AccessView, Effect, Grant, Identity, ToolToken } from '../../shared/model/access.ts';
import { decide, endedVerdict, isInForce, type Verdict } from '../../shared/model/access-decision.ts';
import { riskOfTool } from '../../shared/model/risk.ts';
import type { ToolSummary } from '../../shared/model/tool.ts';
import { groupBy } from './group-by.ts';

/** An identity with its grants and tokens. */
export interface IdentityAccess {
  readonly identity: Identity;
  readonly grants: readonly Grant[];
  readonly tokens: readonly ToolToken[];
  readonly askDestructive: boolean;
}

/** Lists clients first, then agents, each sorted by name. */
export function identityAccessList({
  identities,
  grants,
  tokens,
  askDestructive,
}: AccessView): readonly IdentityAccess[] {
  const grantsOf = groupBy(grants, ({ identityId }) => identityId);
  const tokensOf = groupBy(tokens, ({ identityId }) => identityId);
  return [...identities]
    .sort(
      (one, other) =>
        other.kind.localeCompare(one.kind) ||
        one.name.localeCompare(other.name, undefined, { numeric: true }),
    )
    .map((identity) => ({
      identity,
      grants: grantsOf[identity.id] ?? [],
      tokens: tokensOf[identity.id] ?? [],
      askDestructive,
    }));
}

/** Decides a call of this tool, with the reason. */
export function toolVerdict(standing: IdentityAccess, tool: ToolSummary, now: number): Verdict {
  const { identity, grants, tokens, askDestructive } = standing;
  const { serverKey, name } = tool;
  const asked = { serverKey, name, risk: riskOfTool(name, tool) };
  return decide(identity, grants, tokens, asked, now, askDestructive);
}

/** Decides a call of any tool on this server that no rule names. */
export function serverVerdict(
  { identity, grants, tokens }: IdentityAccess,
  serverKey: string,
  now: number,
): Verdict {
  const whole = grants.filter(({ scope }) => scope.kind === 'all' || scope.kind === 'server');
  return decide(identity, whole, tokens, { serverKey, name: '', risk: 'low' }, now);
}

/** Access of an identity to a server, as shown in a cell. */
export interface AccessCell {
  /** The effect for all of its tools, or `partly` if they differ. */
  readonly kind: Effect | 'partly';
  /** Number of tools per effect. */
  readonly counts: Readonly<Record<Effect, number>>;
  /** True if a rule names this server or one of its tools. */
  readonly own: boolean;
}

export function accessCell(
  standing: IdentityAccess,
  serverKey: string,
  tools: readonly ToolSummary[],
  now: number,
): AccessCell {
  const about = accessToServer(standing, serverKey, now);
  const own = about.grants.some(({ scope }) => scope.kind === 'server' || scope.kind === 'tool');
  const counts = { allow: 0, ask: 0, deny: 0 };
  if (tools.length === 0 || isUniform(about)) {
    const { effect } = serverVerdict(about, serverKey, now);
    counts[effect] = tools.length;
    return { kind: effect, counts, own };
  }
  for (const tool of tools) counts[toolVerdict(about, tool, now).effect] += 1;
  const kinds = effects.filter((effect) => counts[effect] > 0);
  return { kind: kinds.length === 1 && kinds[0] !== undefined ? kinds[0] : 'partly', counts, own };
}

/** Keeps only the grants that can apply to the server, so that many tools are checked quickly. */
function accessToServer(standing: IdentityAccess, serverKey: string, now: number): IdentityAccess {
  const { identity, grants, tokens, askDestructive } = standing;
  const isAbout = (grant: Grant) => {
    const { scope } = grant;
    if (scope.kind === 'server' || scope.kind === 'tool') return scope.serverKey === serverKey;
    return isInForce(grant, now);
  };
  return {
    identity,
    grants: endedVerdict(identity, now) === undefined ? grants.filter(isAbout) : [],
    tokens: tokens.filter((token) => token.serverKey === serverKey),
    askDestructive,
  };
}

/** True if no rule distinguishes between its tools. */
function isUniform({ grants, tokens, askDestructive }: IdentityAccess): boolean {
  if (askDestructive || tokens.length > 0) return false;
  return grants.every(({ scope }) => scope.kind === 'all' || scope.kind === 'server');
}

const effects = ['allow', 'ask', 'deny'] as const;

export const effectWords = { allow: 'Allowed', ask: 'Asks first', deny: 'Denied' } as const;

/** Returns the number of tools that are allowed, asked about or denied, without zeros. */
export function partsOf({ counts }: AccessCell): readonly (readonly [Effect, number])[] {
  return effects.filter((effect) => counts[effect] > 0).map((effect) => [effect, counts[effect]]);
}

/** Returns `36 allowed, 10 ask first, 5 denied by its own rule`, for example. */
export function cellSentence(cell: AccessCell): string {
  const source = cell.own ? 'by its own rule' : 'by default';
  if (cell.kind !== 'partly') return `${effectWords[cell.kind].toLowerCase()} ${source}`;
  const parts = partsOf(cell).map(([effect, count]) => `${count} ${countedWords[effect]}`);
  return `${parts.join(', ')} ${source}`;
}

const countedWords = { allow: 'allowed', ask: 'ask first', deny: 'denied' } as const;

/** Returns the rule for exactly this server or tool. */
export function ownGrant({ grants }: IdentityAccess, serverKey: string, tool?: string): Grant | undefined {
  return grants.find(({ scope }) =>
    tool === undefined
      ? scope.kind === 'server' && scope.serverKey === serverKey
      : scope.kind === 'tool' && scope.serverKey === serverKey && scope.tool === tool,
  );
}
