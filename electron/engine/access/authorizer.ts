import type { Decision } from '../../../shared/model/access/access.ts';
import { reasonOf } from '../../../shared/model/access/access-text.ts';
import type { Clock } from '../base/clock.ts';
import type { AccessService } from './access-service.ts';
import type { KnownTool } from './rules/contract.ts';
import { DecisionCache } from './rules/decision-cache.ts';
import { GrantedPart } from './rules/granted-part.ts';
import type { AccessRules } from './rules/rules.ts';

export interface AuthorizerOptions {
  readonly service: Pick<AccessService, 'tables' | 'isReady'>;
  readonly clock: Clock;
  /** Milliseconds that a decision is cached. */
  readonly cacheTtl: () => number;
}

/** Cached decisions of one identity, valid while its rules stay the same. */
interface IdentityDecisions {
  readonly rules: AccessRules;
  readonly cache: DecisionCache;
}

/** Decides about calls and caches the decisions (REQ-MCP-AUTH-001). */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #decisions = new Map<string, IdentityDecisions>();

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  decide(identityId: string | undefined, tool: KnownTool): Decision {
    const known = identityId === undefined ? undefined : this.#decisionsOf(identityId);
    if (known !== undefined) return known.cache.decide(tool, this.#options.clock.now());
    return this.#options.service.isReady ? unknownIdentity : unreadableRules;
  }

  /** Returns the part of the catalogue that an identity may use now; undefined if it is unknown. */
  part(identityId: string): GrantedPart | undefined {
    const rules = this.#options.service.tables.rulesOf(identityId);
    return rules && new GrantedPart(rules, this.#options.clock.now());
  }

  #decisionsOf(identityId: string): IdentityDecisions | undefined {
    const rules = this.#options.service.tables.rulesOf(identityId);
    const known = this.#decisions.get(identityId);
    if (known !== undefined && known.rules === rules) return known;
    this.#decisions.delete(identityId);
    if (rules === undefined) return undefined;
    const fresh = { rules, cache: new DecisionCache(rules, this.#options.cacheTtl) };
    this.#decisions.set(identityId, fresh);
    return fresh;
  }
}

const unknownIdentity = denied('identity_unknown');
const unreadableRules = denied('unreadable');

function denied(code: 'identity_unknown' | 'unreadable'): Decision {
  return { effect: 'deny', code, reason: reasonOf({ effect: 'deny', code }), cached: false };
}
