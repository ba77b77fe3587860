import type { Grant, Identity, ToolToken } from '../../../../shared/model/access/access.ts';
import {
  decide,
  endedVerdict,
  isInForce,
  type RequestedTool,
  type Verdict,
} from '../../../../shared/model/access/access-decision.ts';
import type { KnownTool } from './risk.ts';
import { riskOf } from './risk.ts';

/**
 * All rules of one identity, indexed so that `decide` checks only the few grants that can apply to a tool.
 * Immutable; each change creates new rules.
 */
export class AccessRules {
  readonly identity: Identity;
  /** True if a grant or the general rule depends on how risky tools are. */
  readonly asksRisk: boolean;
  readonly #askDestructive: boolean;
  readonly #grants: readonly Grant[];
  readonly #tokens: readonly ToolToken[];
  readonly #general: readonly Grant[];
  readonly #servers = new Map<string, Grant[]>();
  readonly #tools = new Map<string, Map<string, Grant[]>>();
  readonly #toolTokens = new Map<string, Map<string, ToolToken[]>>();

  constructor(
    identity: Identity,
    grants: readonly Grant[],
    tokens: readonly ToolToken[],
    askDestructive = false,
  ) {
    this.#askDestructive = askDestructive;
    this.identity = identity;
    this.#grants = grants;
    this.#tokens = tokens;
    const general: Grant[] = [];
    for (const grant of grants) {
      const { scope } = grant;
      if (scope.kind === 'server') listIn(this.#servers, scope.serverKey).push(grant);
      else if (scope.kind === 'tool') listIn(mapIn(this.#tools, scope.serverKey), scope.tool).push(grant);
      else general.push(grant);
    }
    this.#general = general;
    this.asksRisk = askDestructive || general.some(({ scope }) => scope.kind === 'risk');
    for (const token of tokens) listIn(mapIn(this.#toolTokens, token.serverKey), token.tool).push(token);
  }

  decide({ serverKey, name, item }: KnownTool, now: number): Verdict {
    const risk = this.asksRisk ? riskOf(name, item) : 'low';
    return this.judge({ serverKey, name, risk }, now);
  }

  judge(tool: RequestedTool, now: number): Verdict {
    const { serverKey, name } = tool;
    const ofServer = this.#servers.get(serverKey) ?? none;
    const ofTool = this.#tools.get(serverKey)?.get(name) ?? none;
    const grants =
      ofServer.length + ofTool.length === 0 ? this.#general : [...this.#general, ...ofServer, ...ofTool];
    const tokens = this.#toolTokens.get(serverKey)?.get(name) ?? none;
    return decide(this.identity, grants, tokens, tool, now, this.#askDestructive);
  }

  /** Returns whether every tool of every server is allowed, whatever its name. */
  passesAll(now: number): boolean {
    if (endedVerdict(this.identity, now) !== undefined) return false;
    const inForce = this.#grants.filter((grant) => isInForce(grant, now));
    return inForce.every(({ effect }) => effect !== 'deny') && inForce.some(isOpen);
  }

  /**
   * Returns whether the identity may use the resources and prompts of a server, which takes a grant of the
   * whole server.
   */
  passesServer(serverKey: string, now: number): boolean {
    if (endedVerdict(this.identity, now) !== undefined) return false;
    const whole = [
      ...this.#general.filter(({ scope }) => scope.kind === 'all'),
      ...(this.#servers.get(serverKey) ?? none),
    ];
    const inForce = whole.filter((grant) => isInForce(grant, now));
    return (
      inForce.every(({ effect }) => effect !== 'deny') &&
      inForce.some(({ needsToken }) => needsToken !== true)
    );
  }

  /** Returns whether a grant names this server or a tool of it, so that the identity may see its status. */
  mayKnow(serverKey: string, now: number): boolean {
    if (this.passesServer(serverKey, now)) return true;
    if (endedVerdict(this.identity, now) !== undefined) return false;
    return this.#grants.some((grant) => {
      const isUsable = grant.effect !== 'deny' && isInForce(grant, now);
      return isUsable && isPartOf(grant.scope, serverKey);
    });
  }

  /** Returns the next expiry after `now`; Infinity if nothing expires. */
  nextExpiry(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { expiresAt } of [this.identity, ...this.#grants, ...this.#tokens]) {
      if (expiresAt !== undefined && expiresAt > now && expiresAt < next) next = expiresAt;
    }
    return next;
  }
}

function isPartOf(scope: Grant['scope'], serverKey: string): boolean {
  if (scope.kind === 'pattern') return scope.pattern.startsWith(`${serverKey}:`);
  return scope.kind === 'tool' && scope.serverKey === serverKey;
}

const none: readonly never[] = [];

function isOpen({ scope, needsToken }: Grant): boolean {
  return scope.kind === 'all' && needsToken !== true;
}

function mapIn<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, V>();
  maps.set(key, made);
  return made;
}

function listIn<V>(lists: Map<string, V[]>, key: string): V[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: V[] = [];
  lists.set(key, made);
  return made;
}
