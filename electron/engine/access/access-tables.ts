import { randomUUID } from 'node:crypto';
import type { Grant, Identity, IdentityKind, ToolToken } from '../../../shared/model/access/access.ts';
import { scopeKey } from '../../../shared/model/access/access-text.ts';
import type { StoredIdentity } from './access-rows.ts';
import type { AccessChange, AccessStore, StoredAccess } from './access-store.ts';
import { isTokenOf, prefixOfId, prefixOfToken } from './bearer-token.ts';
import { AccessRules } from './rules/rules.ts';

/** Everything that belongs to one identity. */
interface IdentityEntry {
  stored: StoredIdentity;
  readonly grants: Map<string, Grant>;
  readonly tokens: Map<string, ToolToken>;
  /** Created on demand, and again after each change. */
  rules: AccessRules | undefined;
}

/** Identities, grants and tokens in memory, with their indexes. Each change is passed to the store, in order. */
export class AccessTables {
  readonly #store: Pick<AccessStore, 'add' | 'flush'>;
  readonly #changed: (identityId: string) => void;
  readonly #entries = new Map<string, IdentityEntry>();
  #askDestructive = false;
  readonly #names = new Map<string, string>();
  readonly #prefixes = new Map<string, string>();
  /** Identity id -> display name. Every call needs one; cleared when an identity is added or removed. */
  readonly #displayNames = new Map<string, string>();
  /** Grant or token id -> identity id. */
  readonly #owners = new Map<string, string>();
  /** Changes that have not been passed to the store yet. */
  #pending: AccessChange[] = [];
  #isDeferring = false;
  /** False while the stored data cannot be read: identities that are known then are stand-ins. */
  isStored = true;

  /** `changed` is called with the identity id after each change. */
  constructor(store: Pick<AccessStore, 'add' | 'flush'>, changed: (identityId: string) => void) {
    this.#store = store;
    this.#changed = changed;
  }

  /** Loads stored data. Grants without an identity are ignored. */
  fill({ identities, grants, tokens }: StoredAccess, now: number): void {
    for (const stored of identities) this.#index(stored);
    for (const grant of grants) this.#entries.get(grant.identityId)?.grants.set(grant.id, grant);
    for (const token of tokens) {
      if (token.expiresAt <= now) this.#save({ kind: 'drop-token', id: token.tokenId });
      else this.#entries.get(token.identityId)?.tokens.set(token.tokenId, token);
    }
    for (const [identityId, entry] of this.#entries) {
      for (const id of [...entry.grants.keys(), ...entry.tokens.keys()]) this.#owners.set(id, identityId);
    }
  }

  /** Replaces everything with the stored tables. */
  refill(stored: StoredAccess, now: number): void {
    for (const map of [this.#entries, this.#names, this.#prefixes, this.#displayNames, this.#owners])
      map.clear();
    this.fill(stored, now);
  }

  identities(): readonly Identity[] {
    return [...this.#entries.values()].map(({ stored }) => stored.identity);
  }

  identity(id: string): Identity | undefined {
    return this.#entries.get(id)?.stored.identity;
  }

  byName(kind: IdentityKind, name: string): Identity | undefined {
    const id = this.#names.get(nameKey(kind, name));
    return id === undefined ? undefined : this.identity(id);
  }

  /**
   * Returns the display name of an identity. A client and an agent may share a name; the second one then
   * always has its kind appended, so that earlier texts about the first one stay unambiguous.
   */
  displayName(identity: Identity): string {
    const known = this.#displayNames.get(identity.id);
    if (known !== undefined) return known;
    const displayName = this.#makeDisplayName(identity);
    if (this.#entries.has(identity.id)) this.#displayNames.set(identity.id, displayName);
    return displayName;
  }

  /** Returns the identity that a token belongs to, even if it no longer has access. */
  byToken(bearer: string): Identity | undefined {
    const prefix = prefixOfToken(bearer);
    const id = prefix === undefined ? undefined : this.#prefixes.get(prefix);
    const stored = id === undefined ? undefined : this.#entries.get(id)?.stored;
    if (stored?.tokenHash === undefined || !isTokenOf(bearer, stored.tokenHash)) return undefined;
    return stored.identity;
  }

  /** Returns an id with an unused prefix: tokens contain the prefix to say whose they are. */
  freeId(): string {
    const id = randomUUID();
    return this.#prefixes.has(prefixOfId(id)) ? this.freeId() : id;
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
    for (const entry of this.#entries.values()) entry.rules = undefined;
  }

  rulesOf(identityId: string): AccessRules | undefined {
    const entry = this.#entries.get(identityId);
    if (entry === undefined) return undefined;
    entry.rules ??= new AccessRules(
      entry.stored.identity,
      [...entry.grants.values()],
      [...entry.tokens.values()],
      this.#askDestructive,
    );
    return entry.rules;
  }

  /** Stores everything again after rows were lost on disk. */
  storeAll(): void {
    for (const identity of this.identities()) this.putIdentity(identity);
    for (const grant of this.grants()) this.putGrant(grant);
    for (const token of this.tokens()) this.putToken(token);
  }

  putIdentity(identity: Identity, tokenHash = this.#entries.get(identity.id)?.stored.tokenHash): void {
    const stored = { identity, tokenHash };
    this.#index(stored);
    this.#save({ kind: 'put-identity', stored });
    this.#invalidate(identity.id);
  }

  dropIdentity(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    for (const each of [...entry.grants.keys(), ...entry.tokens.keys()]) this.#owners.delete(each);
    const { kind, name } = entry.stored.identity;
    this.#names.delete(nameKey(kind, name));
    this.#prefixes.delete(prefixOfId(id));
    this.#entries.delete(id);
    this.#displayNames.clear();
    this.#save({ kind: 'drop-identity', id });
    this.#changed(id);
  }

  putGrant(grant: Grant): void {
    this.#entries.get(grant.identityId)?.grants.set(grant.id, grant);
    this.#owners.set(grant.id, grant.identityId);
    this.#save({ kind: 'put-grant', grant });
    this.#invalidate(grant.identityId);
  }

  dropGrant({ id, identityId }: Grant): void {
    this.#entries.get(identityId)?.grants.delete(id);
    this.#owners.delete(id);
    this.#save({ kind: 'drop-grant', id });
    this.#invalidate(identityId);
  }

  putToken(token: ToolToken): void {
    this.#entries.get(token.identityId)?.tokens.set(token.tokenId, token);
    this.#owners.set(token.tokenId, token.identityId);
    this.#save({ kind: 'put-token', token });
    this.#invalidate(token.identityId);
  }

  dropToken({ tokenId, identityId }: ToolToken): void {
    this.#entries.get(identityId)?.tokens.delete(tokenId);
    this.#owners.delete(tokenId);
    this.#save({ kind: 'drop-token', id: tokenId });
    this.#invalidate(identityId);
  }

  /** Returns when the next identity, grant or token expires; undefined if none does. */
  nextExpiry(after: number): number | undefined {
    let next = Number.POSITIVE_INFINITY;
    for (const list of [this.identities(), this.grants(), this.tokens()])
      for (const { expiresAt } of list)
        if (expiresAt !== undefined && expiresAt > after && expiresAt < next) next = expiresAt;
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /**
   * Runs a change that would happen again in the same way if lost. It does not open the database on its own:
   * it waits for the next change that has to be written, or for {@link saved}.
   */
  deferSaving<T>(change: () => T): T {
    const before = this.#isDeferring;
    this.#isDeferring = true;
    try {
      return change();
    } finally {
      this.#isDeferring = before;
    }
  }

  /** Passes pending changes to the store, which writes them shortly after. */
  queuePending(): void {
    for (const change of this.#pending.splice(0)) this.#store.add(change);
  }

  /** Resolves when everything is on disk; to false if that is impossible. */
  saved(): Promise<boolean> {
    this.queuePending();
    return this.#store.flush();
  }

  #save(change: AccessChange): void {
    if (!this.isStored) return;
    this.#pending.push(change);
    if (!this.#isDeferring) this.queuePending();
  }

  #index(stored: StoredIdentity): void {
    const { id, kind, name } = stored.identity;
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      this.#entries.set(id, { stored, grants: new Map(), tokens: new Map(), rules: undefined });
      this.#displayNames.clear();
    } else entry.stored = stored;
    this.#names.set(nameKey(kind, name), id);
    this.#prefixes.set(prefixOfId(id), id);
  }

  #makeDisplayName({ kind, name, createdAt }: Identity): string {
    const other = this.byName(kind === 'client' ? 'agent' : 'client', name);
    const isSecond =
      other !== undefined &&
      (other.createdAt < createdAt || (other.createdAt === createdAt && kind === 'agent'));
    return isSecond ? `${name} (${kind})` : name;
  }

  #invalidate(identityId: string): void {
    const entry = this.#entries.get(identityId);
    if (entry !== undefined) entry.rules = undefined;
    this.#changed(identityId);
  }

  #ownerOf(id: string): IdentityEntry | undefined {
    const owner = this.#owners.get(id);
    return owner === undefined ? undefined : this.#entries.get(owner);
  }

  #listed<T>(identityId: string | undefined, list: (entry: IdentityEntry) => Iterable<T>): readonly T[] {
    if (identityId === undefined) return [...this.#entries.values()].flatMap((entry) => [...list(entry)]);
    const entry = this.#entries.get(identityId);
    return entry === undefined ? [] : [...list(entry)];
  }
}

function nameKey(kind: IdentityKind, name: string): string {
  return `${kind} ${name}`;
}
