import { randomUUID } from 'node:crypto';
import type { Grant, Identity, IdentityKind, ToolToken } from '../../../../shared/model/access.ts';
import { scopeKey } from '../../../../shared/model/access-text.ts';
import { AccessRules } from '../../policy/access/rules.ts';
import type { StoredIdentity } from '../../store/state/access-rows.ts';
import type { AccessChange, StoredAccess } from '../../store/state/access-store.ts';
import { isTokenOf, prefixIn, prefixOf } from './own-token.ts';

/** Everything that belongs to one identity. */
interface Owned {
  stored: StoredIdentity;
  readonly grants: Map<string, Grant>;
  readonly tokens: Map<string, ToolToken>;
  /** Created on demand, and again after each change. */
  rules: AccessRules | undefined;
}

/**
 * Identities, grants and tokens in memory, with their indexes. Each change is passed to `keep`, which stores
 * it, and to `changed`.
 */
export class AccessTables {
  readonly #keep: (change: AccessChange) => void;
  readonly #changed: (identityId: string) => void;
  readonly #owned = new Map<string, Owned>();
  #askDestructive = false;
  readonly #names = new Map<string, string>();
  readonly #prefixes = new Map<string, string>();
  /** Identity id -> display name. Every call needs one; cleared when an identity is added or removed. */
  readonly #told = new Map<string, string>();
  /** Grant or token id -> identity id. */
  readonly #owners = new Map<string, string>();

  constructor(keep: (change: AccessChange) => void, changed: (identityId: string) => void) {
    this.#keep = keep;
    this.#changed = changed;
  }

  /** Loads stored data. Grants without an identity are ignored. */
  fill({ identities, grants, tokens }: StoredAccess, now: number): void {
    for (const stored of identities) this.#know(stored);
    for (const grant of grants) this.#owned.get(grant.identityId)?.grants.set(grant.id, grant);
    for (const token of tokens) {
      if (token.expiresAt <= now) this.#keep({ kind: 'drop-token', id: token.tokenId });
      else this.#owned.get(token.identityId)?.tokens.set(token.tokenId, token);
    }
    for (const [identityId, owned] of this.#owned) {
      for (const id of [...owned.grants.keys(), ...owned.tokens.keys()]) this.#owners.set(id, identityId);
    }
  }

  /** Replaces everything with the stored tables. */
  refill(kept: StoredAccess, now: number): void {
    for (const map of [this.#owned, this.#names, this.#prefixes, this.#told, this.#owners]) map.clear();
    this.fill(kept, now);
  }

  identities(): readonly Identity[] {
    return [...this.#owned.values()].map(({ stored }) => stored.identity);
  }

  identity(id: string): Identity | undefined {
    return this.#owned.get(id)?.stored.identity;
  }

  byName(kind: IdentityKind, name: string): Identity | undefined {
    const id = this.#names.get(nameKey(kind, name));
    return id === undefined ? undefined : this.identity(id);
  }

  /**
   * Returns the display name of an identity. A client and an agent may share a name; the second one then
   * always has its kind appended, so that earlier texts about the first one stay unambiguous.
   */
  toldName(identity: Identity): string {
    const known = this.#told.get(identity.id);
    if (known !== undefined) return known;
    const told = this.#tell(identity);
    if (this.#owned.has(identity.id)) this.#told.set(identity.id, told);
    return told;
  }

  /** Returns the identity that a token belongs to, even if it no longer has access. */
  byToken(bearer: string): Identity | undefined {
    const prefix = prefixIn(bearer);
    const id = prefix === undefined ? undefined : this.#prefixes.get(prefix);
    const stored = id === undefined ? undefined : this.#owned.get(id)?.stored;
    if (stored?.tokenHash === undefined || !isTokenOf(bearer, stored.tokenHash)) return undefined;
    return stored.identity;
  }

  /** Returns an id with an unused prefix: tokens contain the prefix to say whose they are. */
  freeId(): string {
    const id = randomUUID();
    return this.#prefixes.has(prefixOf(id)) ? this.freeId() : id;
  }

  grants(identityId?: string): readonly Grant[] {
    return this.#listed(identityId, ({ grants }) => grants.values());
  }

  tokens(identityId?: string): readonly ToolToken[] {
    return this.#listed(identityId, ({ tokens }) => tokens.values());
  }

  grant(id: string): Grant | undefined {
    return this.#ownerOf(id)?.grants.get(id);
  }

  token(id: string): ToolToken | undefined {
    return this.#ownerOf(id)?.tokens.get(id);
  }

  /** Returns the grant of the same identity with the same scope. */
  grantLike({ identityId, scope }: Pick<Grant, 'identityId' | 'scope'>): Grant | undefined {
    const key = scopeKey(scope);
    return this.grants(identityId).find((grant) => scopeKey(grant.scope) === key);
  }

  get askDestructive(): boolean {
    return this.#askDestructive;
  }

  /** Applies to everybody from the next call on. */
  set askDestructive(next: boolean) {
    this.#askDestructive = next;
    for (const owned of this.#owned.values()) owned.rules = undefined;
  }

  rulesOf(identityId: string): AccessRules | undefined {
    const owned = this.#owned.get(identityId);
    if (owned === undefined) return undefined;
    owned.rules ??= new AccessRules(
      owned.stored.identity,
      [...owned.grants.values()],
      [...owned.tokens.values()],
      this.#askDestructive,
    );
    return owned.rules;
  }

  /** Stores everything again after rows were lost on disk. */
  keepAll(): void {
    for (const identity of this.identities()) this.putIdentity(identity);
    for (const grant of this.grants()) this.putGrant(grant);
    for (const token of this.tokens()) this.putToken(token);
  }

  putIdentity(identity: Identity, tokenHash = this.#owned.get(identity.id)?.stored.tokenHash): void {
    const stored = { identity, tokenHash };
    this.#know(stored);
    this.#keep({ kind: 'put-identity', stored });
    this.#touch(identity.id);
  }

  dropIdentity(id: string): void {
    const owned = this.#owned.get(id);
    if (owned === undefined) return;
    for (const each of [...owned.grants.keys(), ...owned.tokens.keys()]) this.#owners.delete(each);
    const { kind, name } = owned.stored.identity;
    this.#names.delete(nameKey(kind, name));
    this.#prefixes.delete(prefixOf(id));
    this.#owned.delete(id);
    this.#told.clear();
    this.#keep({ kind: 'drop-identity', id });
    this.#changed(id);
  }

  putGrant(grant: Grant): void {
    this.#owned.get(grant.identityId)?.grants.set(grant.id, grant);
    this.#owners.set(grant.id, grant.identityId);
    this.#keep({ kind: 'put-grant', grant });
    this.#touch(grant.identityId);
  }

  dropGrant({ id, identityId }: Grant): void {
    this.#owned.get(identityId)?.grants.delete(id);
    this.#owners.delete(id);
    this.#keep({ kind: 'drop-grant', id });
    this.#touch(identityId);
  }

  putToken(token: ToolToken): void {
    this.#owned.get(token.identityId)?.tokens.set(token.tokenId, token);
    this.#owners.set(token.tokenId, token.identityId);
    this.#keep({ kind: 'put-token', token });
    this.#touch(token.identityId);
  }

  dropToken({ tokenId, identityId }: ToolToken): void {
    this.#owned.get(identityId)?.tokens.delete(tokenId);
    this.#owners.delete(tokenId);
    this.#keep({ kind: 'drop-token', id: tokenId });
    this.#touch(identityId);
  }

  #know(stored: StoredIdentity): void {
    const { id, kind, name } = stored.identity;
    const owned = this.#owned.get(id);
    if (owned === undefined) {
      this.#owned.set(id, { stored, grants: new Map(), tokens: new Map(), rules: undefined });
      this.#told.clear();
    } else owned.stored = stored;
    this.#names.set(nameKey(kind, name), id);
    this.#prefixes.set(prefixOf(id), id);
  }

  #tell({ kind, name, createdAt }: Identity): string {
    const other = this.byName(kind === 'client' ? 'agent' : 'client', name);
    const isSecond =
      other !== undefined &&
      (other.createdAt < createdAt || (other.createdAt === createdAt && kind === 'agent'));
    return isSecond ? `${name} (${kind})` : name;
  }

  #touch(identityId: string): void {
    const owned = this.#owned.get(identityId);
    if (owned !== undefined) owned.rules = undefined;
    this.#changed(identityId);
  }

  #ownerOf(id: string): Owned | undefined {
    const owner = this.#owners.get(id);
    return owner === undefined ? undefined : this.#owned.get(owner);
  }

  #listed<T>(identityId: string | undefined, list: (owned: Owned) => Iterable<T>): readonly T[] {
    if (identityId === undefined) return [...this.#owned.values()].flatMap((owned) => [...list(owned)]);
    const owned = this.#owned.get(identityId);
    return owned === undefined ? [] : [...list(owned)];
  }
}

function nameKey(kind: IdentityKind, name: string): string {
  return `${kind} ${name}`;
}
