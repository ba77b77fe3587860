import type { Decision, Risk } from '../../../../shared/model/access/access.ts';
import type { Verdict } from '../../../../shared/model/access/access-decision.ts';
import { reasonOf } from '../../../../shared/model/access/access-text.ts';
import type { KnownTool } from './contract.ts';
import { riskOf } from './risk.ts';
import type { AccessRules } from './rules.ts';

/** Server key -> tool name -> decisions. */
type DecisionMap = Map<string, Map<string, CachedDecision>>;

/** The same decision as first made and as returned from the cache. */
interface CachedDecision {
  readonly first: Decision;
  readonly cached: Decision;
}

/**
 * Caches the decisions about one identity (REQ-MCP-AUTH-001), but not past the next expiry of a grant, a
 * token or the identity, and not when the clock goes back. New rules get a new cache. The risk of a tool is
 * computed at each call, so that a changed definition is judged as it is now.
 */
export class DecisionCache {
  readonly #rules: AccessRules;
  readonly #ttl: () => number;
  readonly #byRisk: Readonly<Record<Risk, DecisionMap>> = { low: new Map(), high: new Map() };
  /** One object for all tools that a grant decides about in the same way. */
  readonly #made = new Map<string, CachedDecision>();
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;
  #size = 0;

  constructor(rules: AccessRules, ttl: () => number) {
    this.#rules = rules;
    this.#ttl = ttl;
  }

  decide({ serverKey, name, item }: KnownTool, now: number): Decision {
    if (now < this.#from || now >= this.#until) this.#reset(now);
    const risk = this.#rules.asksRisk ? riskOf(name, item) : 'low';
    const known = this.#byRisk[risk].get(serverKey)?.get(name);
    if (known !== undefined) return known.cached;
    const decisions = this.#decisionsFor(this.#rules.judge({ serverKey, name, risk }, now), now);
    this.#remember(serverKey, name, risk, decisions);
    return decisions.first;
  }

  #reset(now: number): void {
    this.#from = now;
    this.#until = Math.min(now + this.#ttl(), this.#rules.nextExpiry(now));
    this.#forget();
  }

  #forget(): void {
    this.#byRisk.low.clear();
    this.#byRisk.high.clear();
    this.#made.clear();
    this.#size = 0;
  }

  #remember(serverKey: string, name: string, risk: Risk, decisions: CachedDecision): void {
    // Clients may also call tools that are listed nowhere.
    if (this.#size >= maxEntries) this.#forget();
    const known = this.#byRisk[risk];
    let ofServer = known.get(serverKey);
    if (ofServer === undefined) {
      ofServer = new Map();
      known.set(serverKey, ofServer);
    }
    ofServer.set(name, decisions);
    this.#size += 1;
  }

  #decisionsFor(verdict: Verdict, now: number): CachedDecision {
    const key = `${verdict.code} ${verdict.grant?.id ?? ''}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const until = this.#rules.nextExpiry(now);
    const first: Decision = {
      effect: verdict.effect,
      reason: reasonOf(verdict),
      code: verdict.code,
      ...(verdict.grant === undefined ? {} : { grantId: verdict.grant.id }),
      ...(until === Number.POSITIVE_INFINITY ? {} : { until }),
      cached: false,
    };
    const decisions = { first, cached: { ...first, cached: true } };
    this.#made.set(key, decisions);
    return decisions;
  }
}

const maxEntries = 50_000;
