import type { Grant, GrantScope, ToolToken } from '../../../../shared/model/access.ts';
import type { ConfigStore } from '../../config/contract.ts';
import { onOtherKeys } from '../other-keys.ts';
import type { AccessBook } from './access-book.ts';

/** Grants and tokens for one server. */
interface Parting {
  readonly grants: readonly Grant[];
  readonly tokens: readonly ToolToken[];
}

/**
 * Moves grants along when a server is renamed. When a server is removed its grants go too, so that another
 * server with the same name does not inherit them; they return if the server comes back while the hub runs.
 */
export class AccessServers {
  readonly #book: AccessBook;
  readonly #partings = new Map<string, Parting>();
  /** New key -> previous key. */
  readonly #renamed = new Map<string, string>();

  constructor(book: AccessBook) {
    this.#book = book;
  }

  /** See ConfigStoreOptions. */
  newKey(key: string, from: string | undefined): void {
    this.#partings.delete(key);
    if (from === undefined) this.#renamed.delete(key);
    else this.#renamed.set(key, from);
  }

  follow(config: Pick<ConfigStore, 'state' | 'onChange'>): void {
    onOtherKeys(config, (gone, come) => {
      if (this.#book.isReady) this.#move(gone, come);
    });
  }

  #move(gone: ReadonlySet<string>, come: readonly string[]): void {
    for (const key of come) {
      const from = this.#renamed.get(key);
      if (from !== undefined && gone.has(from)) this.#rename(from, key);
      else this.#bringBack(key);
    }
    for (const key of gone) this.#drop(key);
  }

  #rename(from: string, to: string): void {
    const { grants, tokens } = this.#about(from, 'all');
    for (const grant of grants) this.#book.moveGrant({ ...grant, scope: moved(grant.scope, from, to) });
    for (const token of tokens) this.#book.tables.putToken({ ...token, serverKey: to });
  }

  #drop(key: string): void {
    const parting = this.#about(key, 'dropped');
    this.#partings.set(key, parting);
    for (const grant of parting.grants) this.#book.dropGrant(grant, 'grant.dropped', 'the hub');
    for (const token of parting.tokens) this.#book.revokeToken(token.tokenId, 'the hub');
  }

  /** Skips what belongs to a removed identity or has been granted again. */
  #bringBack(key: string): void {
    const { grants = [], tokens = [] } = this.#partings.get(key) ?? {};
    this.#partings.delete(key);
    const { tables } = this.#book;
    for (const grant of grants) {
      if (tables.identity(grant.identityId) === undefined || tables.grantLike(grant) !== undefined) continue;
      this.#book.moveGrant(grant);
    }
    for (const token of tokens) if (tables.identity(token.identityId) !== undefined) tables.putToken(token);
  }

  /** Deny patterns are kept when a server is removed: denying what does not exist does no harm. */
  #about(key: string, which: 'all' | 'dropped'): Parting {
    const { tables } = this.#book;
    const isMeant = ({ scope, effect }: Grant) => {
      if (scope.kind === 'pattern') return isPatternOf(scope, key) && (which === 'all' || effect !== 'deny');
      return 'serverKey' in scope && scope.serverKey === key;
    };
    return {
      grants: tables.grants().filter(isMeant),
      tokens: tables.tokens().filter(({ serverKey }) => serverKey === key),
    };
  }
}

function isPatternOf({ pattern }: Extract<GrantScope, { kind: 'pattern' }>, key: string): boolean {
  return pattern.startsWith(`${key}:`);
}

function moved(scope: GrantScope, from: string, to: string): GrantScope {
  if (scope.kind === 'pattern') return { ...scope, pattern: `${to}${scope.pattern.slice(from.length)}` };
  return 'serverKey' in scope ? { ...scope, serverKey: to } : scope;
}
