import type { Decision } from '../../../../shared/model/access.ts';
import { reasonOf } from '../../../../shared/model/access-text.ts';
import type { Clock } from '../../base/clock.ts';
import type { KnownTool } from '../../policy/access/contract.ts';
import { DecisionCache } from '../../policy/access/decision-cache.ts';
import { GrantedPart } from '../../policy/access/granted-part.ts';
import type { AccessRules } from '../../policy/access/rules.ts';
import type { AccessBook } from './access-book.ts';

export interface StandingsOptions {
  readonly book: Pick<AccessBook, 'tables' | 'isReady'>;
  readonly clock: Clock;
  /** Milliseconds that a decision is cached. */
  readonly cacheTtl: () => number;
}

/** Cached decisions of one identity, valid while its rules stay the same. */
interface Standing {
  readonly rules: AccessRules;
  readonly cache: DecisionCache;
}

/** Decides about calls and caches the decisions (REQ-MCP-AUTH-001). */
export class Standings {
  readonly #options: StandingsOptions;
  readonly #known = new Map<string, Standing>();

  constructor(options: StandingsOptions) {
    this.#options = options;
  }

  decide(identityId: string | undefined, tool: KnownTool): Decision {
    const standing = identityId === undefined ? undefined : this.#of(identityId);
    if (standing !== undefined) return standing.cache.decide(tool, this.#options.clock.now());
    return this.#options.book.isReady ? unknown : unreadable;
  }

  /** Returns the part of the catalogue that an identity may use now; undefined if it is unknown. */
  part(identityId: string): GrantedPart | undefined {
    const rules = this.#options.book.tables.rulesOf(identityId);
    return rules && new GrantedPart(rules, this.#options.clock.now());
  }

  #of(identityId: string): Standing | undefined {
    const rules = this.#options.book.tables.rulesOf(identityId);
    const known = this.#known.get(identityId);
    if (known !== undefined && known.rules === rules) return known;
    this.#known.delete(identityId);
    if (rules === undefined) return undefined;
    const standing = { rules, cache: new DecisionCache(rules, this.#options.cacheTtl) };
    this.#known.set(identityId, standing);
    return standing;
  }
}

const unknown = refused('identity_unknown');
const unreadable = refused('unreadable');

function refused(code: 'identity_unknown' | 'unreadable'): Decision {
  return { effect: 'deny', code, reason: reasonOf({ effect: 'deny', code }), cached: false };
}
