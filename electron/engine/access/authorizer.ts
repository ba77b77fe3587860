import type { Decision, Risk } from '../../../shared/model/access/access.ts';
import type { Verdict } from '../../../shared/model/access/access-decision.ts';
import { reasonOf } from '../../../shared/model/access/access-text.ts';
import type { Clock } from '../base/clock.ts';
import type { AccessService } from './access-service.ts';
import { GrantedPart } from './rules/granted-part.ts';
import { type KnownTool, riskOf } from './rules/risk.ts';
import type { AccessRules } from './rules/rules.ts';

export interface AuthorizerOptions {
  readonly service: Pick<AccessService, 'tables' | 'isReady'>;
  readonly clock: Clock;
  /** Milliseconds that a decision is cached. */
  readonly cacheTtl: () => number;
}

/** Decides about calls and caches the decisions (REQ-MCP-AUTH-001). */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  /** By identity id. */
  readonly #caches = new Map<string, DecisionCache>();

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  decide(identityId: string | undefined, tool: KnownTool): Decision {
    const cache = identityId === undefined ? undefined : this.#cacheOf(identityId);
    if (cache !== undefined) return cache.decide(tool, this.#options.clock.now());
    return this.#options.service.isReady ? unknownIdentity : unreadableRules;
  }

  /** Returns the part of the catalogue that an identity may use now; undefined if it is unknown. */
  part(identityId: string): GrantedPart | undefined {
    const rules = this.#options.service.tables.rulesOf(identityId);
    return rules && new GrantedPart(rules, this.#options.clock.now());
  }

  /** New rules get a new cache. */
  #cacheOf(identityId: string): DecisionCache | undefined {
    const rules = this.#options.service.tables.rulesOf(identityId);
    const known = this.#caches.get(identityId);
    if (known !== undefined && known.rules === rules) return known;
    this.#caches.delete(identityId);
    if (rules === undefined) return undefined;
    const cache = new DecisionCache(rules, this.#options.cacheTtl);
    this.#caches.set(identityId, cache);
    return cache;
  }
}

const unknownIdentity = denied('identity_unknown');
const unreadableRules = denied('unreadable');

function denied(code: 'identity_unknown' | 'unreadable'): Decision {
  return { effect: 'deny', code, reason: reasonOf({ effect: 'deny', code }), cached: false };
}

/** A decision, and the risk of the tool that it was made for. */
interface CachedDecision {
  readonly risk: Risk;
  readonly decision: Decision;
}

/**
 * Caches the decisions about one identity, but not past the next expiry of a grant, a token or the identity,
 * and not when the clock goes back. The risk of a tool is computed at each call, so that a changed definition
 * is judged as it is now.
 */
class DecisionCache {
  readonly rules: AccessRules;
  readonly #ttl: () => number;
  /** Server key -> tool name -> decision. */
  readonly #decisions = new Map<string, Map<string, CachedDecision>>();
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;
  /** Next expiry of a rule. */
  #expiresAt = Number.POSITIVE_INFINITY;
  #size = 0;

  constructor(rules: AccessRules, ttl: () => number) {
    this.rules = rules;
    this.#ttl = ttl;
  }

  decide({ serverKey, name, item }: KnownTool, now: number): Decision {
    if (now < this.#from || now >= this.#until) this.#reset(now);
    const risk = this.rules.asksRisk ? riskOf(name, item) : 'low';
    const known = this.#decisions.get(serverKey)?.get(name);
    if (known?.risk === risk) return known.decision;
    const decision = toDecision(this.rules.judge({ serverKey, name, risk }, now), this.#expiresAt);
    this.#remember(serverKey, name, { risk, decision: { ...decision, cached: true } });
    return decision;
  }

  #reset(now: number): void {
    this.#from = now;
    this.#expiresAt = this.rules.nextExpiry(now);
    this.#until = Math.min(now + this.#ttl(), this.#expiresAt);
    this.#forget();
  }

  #forget(): void {
    this.#decisions.clear();
    this.#size = 0;
  }

  #remember(serverKey: string, name: string, decision: CachedDecision): void {
    // Clients may also call tools that are listed nowhere.
    if (this.#size >= maxEntries) this.#forget();
    const ofServer = this.#decisions.get(serverKey) ?? new Map<string, CachedDecision>();
    this.#decisions.set(serverKey, ofServer.set(name, decision));
    this.#size += 1;
  }
}

function toDecision(verdict: Verdict, until: number): Decision {
  return {
    effect: verdict.effect,
    reason: reasonOf(verdict),
    code: verdict.code,
    ...(verdict.grant === undefined ? {} : { grantId: verdict.grant.id }),
    ...(until === Number.POSITIVE_INFINITY ? {} : { until }),
    cached: false,
  };
}

const maxEntries = 50_000;
