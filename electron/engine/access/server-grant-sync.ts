import type { Grant, GrantScope, ToolToken } from '../../../shared/model/access/access.ts';
import type { ConfigStore } from '../config/contract.ts';
import { onKeysChanged } from '../config/keys-changed.ts';
import type { AccessService } from './access-service.ts';

/** Grants and tokens for one server. */
interface ServerGrants {
  readonly grants: readonly Grant[];
  readonly tokens: readonly ToolToken[];
}

/**
 * Moves grants along when a server is renamed. When a server is removed its grants go too, so that another
 * server with the same name does not inherit them; they return if the server comes back while the hub runs.
 */
export class ServerGrantSync {
  readonly #service: AccessService;
  readonly #removedGrants = new Map<string, ServerGrants>();
  /** New key -> previous key. */
  readonly #renamed = new Map<string, string>();

  constructor(service: AccessService) {
    this.#service = service;
  }

  /** See ConfigStoreOptions. */
  onNewKey(key: string, from: string | undefined): void {
    this.#removedGrants.delete(key);
    if (from === undefined) this.#renamed.delete(key);
    else this.#renamed.set(key, from);
  }

  follow(config: Pick<ConfigStore, 'state' | 'onChange'>): void {
    onKeysChanged(config, (removed, added) => {
      if (this.#service.isReady) this.#move(removed, added);
    });
  }

  #move(removed: ReadonlySet<string>, added: readonly string[]): void {
    for (const key of added) {
      const from = this.#renamed.get(key);
      if (from !== undefined && removed.has(from)) this.#rename(from, key);
      else this.#restore(key);
    }
    for (const key of removed) this.#drop(key);
  }

  #rename(from: string, to: string): void {
    const { grants, tokens } = this.#grantsOf(from, 'all');
    for (const grant of grants)
      this.#service.moveGrant({ ...grant, scope: moveScope(grant.scope, from, to) });
    for (const token of tokens) this.#service.tables.putToken({ ...token, serverKey: to });
  }

  #drop(key: string): void {
    const removedGrants = this.#grantsOf(key, 'dropped');
    this.#removedGrants.set(key, removedGrants);
    for (const grant of removedGrants.grants) this.#service.dropGrant(grant, 'grant.dropped', 'the hub');
    for (const token of removedGrants.tokens) this.#service.revokeToken(token.tokenId, 'the hub');
  }

  /** Skips what belongs to a removed identity or has been granted again. */
  #restore(key: string): void {
    const { grants = [], tokens = [] } = this.#removedGrants.get(key) ?? {};
    this.#removedGrants.delete(key);
    const { tables } = this.#service;
    for (const grant of grants) {
      if (tables.identity(grant.identityId) === undefined || tables.grantLike(grant) !== undefined) continue;
      this.#service.moveGrant(grant);
    }
    for (const token of tokens) if (tables.identity(token.identityId) !== undefined) tables.putToken(token);
  }

  /** Deny patterns are kept when a server is removed: denying what does not exist does no harm. */
  #grantsOf(key: string, which: 'all' | 'dropped'): ServerGrants {
    const { tables } = this.#service;
    const isAboutServer = ({ scope, effect }: Grant) => {
      if (scope.kind === 'pattern') return isPatternOf(scope, key) && (which === 'all' || effect !== 'deny');
      return 'serverKey' in scope && scope.serverKey === key;
    };
    return {
      grants: tables.grants().filter(isAboutServer),
      tokens: tables.tokens().filter(({ serverKey }) => serverKey === key),
    };
  }
}

function isPatternOf({ pattern }: Extract<GrantScope, { kind: 'pattern' }>, key: string): boolean {
  return pattern.startsWith(`${key}:`);
}

function moveScope(scope: GrantScope, from: string, to: string): GrantScope {
  if (scope.kind === 'pattern') return { ...scope, pattern: `${to}${scope.pattern.slice(from.length)}` };
  return 'serverKey' in scope ? { ...scope, serverKey: to } : scope;
}
