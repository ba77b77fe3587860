import { randomUUID } from 'node:crypto';
import type { Grant, GrantInput, Identity, ToolToken } from '../../../shared/model/access/access.ts';
import { endedVerdict } from '../../../shared/model/access/access-decision.ts';
import { scopeText } from '../../../shared/model/access/access-text.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { AccessStore } from '../store/state/access-store.ts';
import { AccessEvents, type NewAccessEvent } from './access-events.ts';
import { AccessLoader, type AccessLoaderOptions } from './access-loader.ts';
import * as problems from './access-problems.ts';
import { AccessTables } from './access-tables.ts';
import { makeToken } from './bearer-token.ts';
import type { NewIdentity } from './contract.ts';
import { ExpiryTimer } from './expiry-timer.ts';
import { UnsavedChanges } from './unsaved-changes.ts';

export interface AccessServiceOptions extends Pick<AccessLoaderOptions, 'fallbackClients'> {
  readonly store: AccessStore;
  readonly clock: Clock;
  /** Lifetime of a tool token, in milliseconds. */
  readonly tokenTtl: () => number;
}

/**
 * Owns who may call what: identities, their grants and their tokens. A change takes effect at once and is
 * written to disk shortly after; `saved` resolves when it is. Until the stored data has been read, no
 * identity is known and nothing can be changed.
 */
export class AccessService implements Disposable {
  readonly tables: AccessTables;
  readonly #options: AccessServiceOptions;
  readonly #expiryTimer: ExpiryTimer;
  readonly #unsaved: UnsavedChanges;
  readonly #loader: AccessLoader;
  readonly #events = new AccessEvents(() => this.#options.clock.now());
  readonly onChange = this.#events.changed.event;
  readonly onEnded = this.#events.ended.event;
  readonly onWithdrawn = this.#events.withdrawn.event;
  readonly onEvent = this.#events.recorded.event;
  readonly onLoaded = this.#events.loaded.event;

  constructor(options: AccessServiceOptions) {
    this.#options = options;
    this.tables = new AccessTables(
      (change) => (this.#loader.isUnreadable ? undefined : this.#unsaved.add(change)),
      (identityId) => this.#onChanged(identityId),
    );
    this.#loader = new AccessLoader({ ...options, tables: this.tables });
    this.#unsaved = new UnsavedChanges(options.store);
    this.#expiryTimer = new ExpiryTimer({
      tables: this.tables,
      clock: options.clock,
      changed: (identityId) => this.#events.changed.fire(identityId),
      expired: (identity) => this.#onExpired(identity),
    });
  }

  get isReady(): boolean {
    return this.#loader.isReady;
  }

  /** Reads the stored access data; see {@link AccessLoader}. */
  async load(): Promise<void> {
    await this.#loader.load();
    this.#events.loaded.fire();
    this.#expiryTimer.schedule();
  }

  /**
   * Continues with what could be salvaged of a damaged database. Clients that did not have full access become
   * known again without any grant, so that somebody has to decide about them.
   */
  async beginAnew(by: string): Promise<void> {
    const wasReady = this.isReady;
    const limited = await this.#loader.beginAnew();
    const { tables } = this;
    const text = `Access continues with the data recovered from a damaged database: ${tables.identities().length} clients and agents with ${tables.grants().length} grants.`;
    this.#events.record(undefined, { kind: 'access.begun_anew', by, text });
    if (wasReady) return;
    for (const name of limited)
      if (tables.byName('client', name) === undefined) this.create({ kind: 'client', name }, by);
    this.#events.loaded.fire();
    this.#expiryTimer.schedule();
  }

  /** Replaces everything with what is stored now. Identities that may do less than before lose it at once. */
  async reload(): Promise<void> {
    const { tables } = this;
    const before = tables.identities().map((identity) => ({ identity, rules: tables.rulesOf(identity.id) }));
    await this.#loader.reload();
    const now = this.#options.clock.now();
    for (const { identity, rules } of before) {
      const after = tables.identity(identity.id);
      this.#events.changed.fire(identity.id);
      const hasLostAccess = after === undefined || endedVerdict(after, now) !== undefined;
      if (hasLostAccess || (identity.hasToken && !after.hasToken)) this.#events.ended.fire(identity);
      else if (rules !== undefined) this.#events.withdrawn.fire({ identity: after, before: rules });
    }
    for (const { id } of tables.identities()) this.#events.changed.fire(id);
    this.#events.loaded.fire();
    this.#expiryTimer.schedule();
  }

  deferSaving<T>(change: () => T): T {
    return this.#unsaved.deferSaving(change);
  }

  /** Writes pending changes shortly after. */
  queuePending(): void {
    this.#unsaved.queuePending();
  }

  /** Resolves when every change is on disk; rejects with `access.unsaved`. */
  async saved(): Promise<void> {
    if (!(await this.#unsaved.saved())) throw problems.unsaved();
  }

  create({ kind, name, owner, expiresAt }: NewIdentity, by: string): Identity {
    this.#requireReady();
    if (this.tables.byName(kind, name) !== undefined) throw problems.identityExists(kind, name);
    const identity: Identity = {
      id: this.tables.freeId(),
      kind,
      name,
      ...(owner === undefined ? {} : { owner }),
      createdAt: this.#options.clock.now(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      hasToken: false,
    };
    this.tables.putIdentity(identity);
    this.#events.record(identity, {
      kind: 'identity.created',
      by,
      text: `${this.tables.displayName(identity)} was added.`,
    });
    return identity;
  }

  /** Issues a new bearer token; the previous one stops working. */
  rotate(id: string, by: string): { readonly identity: Identity; readonly token: string } {
    const before = this.#identity(id);
    const { token, hash } = makeToken(id);
    const identity = { ...before, hasToken: true };
    this.tables.putIdentity(identity, hash);
    this.#events.record(identity, {
      kind: 'identity.token_made',
      by,
      text: `${this.tables.displayName(identity)} has a new access token.`,
    });
    if (before.hasToken) this.#events.ended.fire(identity);
    return { identity, token };
  }

  revoke(id: string, by: string): void {
    const before = this.#identity(id);
    if (before.revokedAt !== undefined) return;
    const identity = { ...before, revokedAt: this.#options.clock.now() };
    this.tables.putIdentity(identity);
    this.#events.record(identity, {
      kind: 'identity.revoked',
      by,
      text: `${this.tables.displayName(identity)} lost all access.`,
    });
    this.#events.ended.fire(identity);
  }

  restore(id: string, by: string): void {
    const { revokedAt, ...identity } = this.#identity(id);
    if (revokedAt === undefined) return;
    this.tables.putIdentity(identity);
    this.#events.record(identity, {
      kind: 'identity.restored',
      by,
      text: `${this.tables.displayName(identity)} has access again.`,
    });
  }

  remove(id: string, by: string): void {
    const identity = this.#identity(id);
    this.tables.dropIdentity(id);
    this.#events.record(identity, {
      kind: 'identity.removed',
      by,
      text: `${this.tables.displayName(identity)} was removed.`,
    });
    this.#events.ended.fire(identity);
  }

  grant({ grantedBy = 'the hub', ...input }: GrantInput): Grant {
    const identity = this.#identity(input.identityId);
    const before = this.tables.grantLike(input);
    const grant: Grant = { ...input, id: randomUUID(), grantedAt: this.#options.clock.now(), grantedBy };
    this.#withdraw(identity, () => {
      if (before !== undefined) this.tables.dropGrant(before);
      this.tables.putGrant(grant);
    });
    const text = `${this.tables.displayName(identity)}: ${effectTexts[grant.effect]} ${scopeText(grant.scope)}.`;
    this.#events.record(identity, { kind: 'grant.made', by: grantedBy, text, grant });
    return grant;
  }

  revokeGrant(grantId: string, by: string): void {
    this.#requireReady();
    const grant = this.tables.grant(grantId);
    if (grant === undefined) throw problems.unknownGrant(grantId);
    this.#withdraw(this.#identity(grant.identityId), () => this.dropGrant(grant, 'grant.revoked', by));
  }

  dropGrant(grant: Grant, kind: 'grant.revoked' | 'grant.dropped', by: string): void {
    const identity = this.#identity(grant.identityId);
    this.tables.dropGrant(grant);
    const text = `${this.tables.displayName(identity)}: no longer ${effectTexts[grant.effect]} ${scopeText(grant.scope)}.`;
    this.#events.record(identity, { kind, by, text, grant });
  }

  /** Stores the same grant for a target that has been renamed. */
  moveGrant(grant: Grant): void {
    const identity = this.#identity(grant.identityId);
    this.tables.putGrant(grant);
    const text = `${this.tables.displayName(identity)}: ${effectTexts[grant.effect]} ${scopeText(grant.scope)} (new name).`;
    this.#events.record(identity, { kind: 'grant.moved', by: 'the hub', text, grant });
  }

  issueToken(
    identityId: string,
    serverKey: string,
    tool: string,
    ttl: number | undefined,
    by: string,
  ): ToolToken {
    const identity = this.#identity(identityId);
    const createdAt = this.#options.clock.now();
    const expiresAt = createdAt + (ttl ?? this.#options.tokenTtl());
    for (const token of this.tables.tokens(identityId))
      if (token.expiresAt <= createdAt) this.tables.dropToken(token);
    const token = { tokenId: randomUUID(), identityId, serverKey, tool, createdAt, expiresAt };
    this.tables.putToken(token);
    const text = `${this.tables.displayName(identity)} may call ${serverKey}:${tool} for ${Math.ceil((expiresAt - createdAt) / 60_000)} min.`;
    this.#events.record(identity, {
      kind: 'token.issued',
      by,
      text,
      serverKey,
      tool,
      tokenId: token.tokenId,
    });
    return token;
  }

  revokeToken(tokenId: string, by: string): void {
    this.#requireReady();
    const token = this.tables.token(tokenId);
    if (token === undefined) throw problems.unknownToken(tokenId);
    const identity = this.#identity(token.identityId);
    this.#withdraw(identity, () => this.tables.dropToken(token));
    const { serverKey, tool } = token;
    const text = `${this.tables.displayName(identity)}: the token for ${serverKey}:${tool} was revoked.`;
    this.#events.record(identity, { kind: 'token.revoked', by, text, serverKey, tool, tokenId });
  }

  standIn(names: readonly string[]): string | undefined {
    return this.#loader.standIn(names);
  }

  /** Records that the identity has connected, at most once a day. */
  markSeen(id: string): void {
    const identity = this.tables.identity(id);
    const now = this.#options.clock.now();
    if (identity === undefined || now - (identity.lastSeenAt ?? 0) < dayMs) return;
    this.deferSaving(() => this.tables.putIdentity({ ...identity, lastSeenAt: now }));
  }

  /** Returns the identity that a bearer token belongs to, if it still has access. */
  identify(bearer: string): Identity | undefined {
    const identity = this.tables.byToken(bearer);
    if (identity === undefined || endedVerdict(identity, this.#options.clock.now()) !== undefined)
      return undefined;
    return identity;
  }

  /** Records an event for the audit log. */
  record(identityId: string, event: NewAccessEvent): void {
    const identity = this.tables.identity(identityId);
    if (identity !== undefined) this.#events.record(identity, event);
  }

  dispose(): void {
    this.#expiryTimer.dispose();
    this.#events.dispose();
  }

  /** Applies a change that takes something away, then has the active calls checked. */
  #withdraw(identity: Identity, change: () => void): void {
    const before = this.tables.rulesOf(identity.id);
    change();
    if (before !== undefined) this.#events.withdrawn.fire({ identity, before });
  }

  #identity(id: string): Identity {
    this.#requireReady();
    const identity = this.tables.identity(id);
    if (identity === undefined) throw problems.unknownIdentity(id);
    return identity;
  }

  #requireReady(): void {
    if (!this.isReady) throw problems.unreadable();
  }

  #onChanged(identityId: string): void {
    this.#events.changed.fire(identityId);
    this.#expiryTimer.schedule();
  }

  #onExpired(identity: Identity): void {
    const text = `The access of ${this.tables.displayName(identity)} has expired.`;
    this.#events.record(identity, { kind: 'identity.expired', by: 'the hub', text });
    this.#events.ended.fire(identity);
  }
}

const effectTexts = { allow: 'may call', ask: 'asks before it calls', deny: 'may not call' } as const;

const dayMs = 24 * 60 * 60_000;
