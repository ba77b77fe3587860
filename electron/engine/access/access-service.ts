import { randomUUID } from 'node:crypto';
import type { Grant, GrantInput, Identity, ToolToken } from '../../../shared/model/access/access.ts';
import { endedVerdict } from '../../../shared/model/access/access-decision.ts';
import { scopeText } from '../../../shared/model/access/access-text.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { identityName, isOpenTo, type OpenClients, openToAll } from '../catalogue/open-clients.ts';
import * as problems from './access-problems.ts';
import type { AccessStore } from './access-store.ts';
import { AccessTables } from './access-tables.ts';
import { makeToken } from './bearer-token.ts';
import type { AccessEvent, AccessEventKind, NewIdentity } from './contract.ts';
import type { AccessRules } from './rules/rules.ts';

export interface AccessServiceOptions {
  readonly store: AccessStore;
  readonly clock: Clock;
  /** Lifetime of a tool token, in milliseconds. */
  readonly tokenTtl: () => number;
  /** Clients with full access as bridges know them: the only source left when the database cannot be read. */
  readonly fallbackClients: () => Promise<OpenClients>;
}

/** Something was taken back from an identity; `before` says what it could do until now. */
export interface Withdrawal {
  readonly identity: Identity;
  readonly before: AccessRules;
}

/** Facts of an event besides its text. */
type EventFacts = Pick<AccessEvent, 'grant' | 'serverKey' | 'tool' | 'tokenId' | 'answer'>;

type LoadState =
  | { readonly kind: 'loading' | 'ready' }
  | { readonly kind: 'unreadable'; readonly open: OpenClients };

/**
 * Owns who may call what: identities, their grants and their tokens. A change takes effect at once and is
 * written to disk shortly after; `saved` resolves when it is. Until the stored data has been read, no
 * identity is known and nothing can be changed. If it cannot be read, local clients that had full access when
 * it was last written keep it, and nobody else has any: the hub keeps serving without its database.
 */
export class AccessService implements Disposable {
  readonly tables: AccessTables;
  readonly #options: AccessServiceOptions;
  readonly #changed = new Emitter<string>();
  readonly #ended = new Emitter<Identity>();
  readonly #withdrawn = new Emitter<Withdrawal>();
  readonly #loaded = new Emitter<void>();
  readonly #recorded = new Emitter<AccessEvent>();
  #state: LoadState = { kind: 'loading' };
  #expiryTimer: Disposable | undefined;
  /** Expiries up to this time have been reported. */
  #expiriesReportedUntil = Number.POSITIVE_INFINITY;
  /** Fires with an identity id when its rights may have changed or ended. */
  readonly onChange = this.#changed.event;
  /** Fires when an identity has lost all access, or when a new token has replaced its old one. */
  readonly onEnded = this.#ended.event;
  /** Fires when somebody takes back a grant or a token, or denies something; not when one expires. */
  readonly onWithdrawn = this.#withdrawn.event;
  /** Fires when the stored data has been read, or turned out to be unreadable. */
  readonly onLoaded = this.#loaded.event;
  readonly onEvent = this.#recorded.event;

  constructor(options: AccessServiceOptions) {
    this.#options = options;
    this.tables = new AccessTables(options.store, (identityId) => {
      this.#changed.fire(identityId);
      this.#scheduleExpiry();
    });
  }

  get isReady(): boolean {
    return this.#state.kind === 'ready';
  }

  /** Reads the stored access data. Errors are not reported here: the store that found them reports them. */
  async load(): Promise<void> {
    const { store, clock, fallbackClients } = this.#options;
    try {
      this.tables.fill(await store.load(), clock.now());
      this.#state = { kind: 'ready' };
    } catch {
      this.tables.isStored = false;
      this.#state = { kind: 'unreadable', open: await fallbackClients() };
    }
    this.#onLoaded();
  }

  /**
   * Continues with what could be salvaged of a damaged database. Clients that did not have full access become
   * known again without any grant, so that somebody has to decide about them.
   */
  async beginAnew(by: string): Promise<void> {
    const { tables } = this;
    const stored = await this.#options.store.beginAnew();
    const limited = this.#state.kind === 'unreadable' ? this.#state.open : openToAll;
    const wasReady = this.isReady;
    if (wasReady) tables.storeAll();
    else {
      for (const { id } of tables.identities()) tables.dropIdentity(id);
      this.#replaceAll(stored);
    }
    const text = `Access continues with the data recovered from a damaged database: ${tables.identities().length} clients and agents with ${tables.grants().length} rules.`;
    this.#fireEvent({ kind: 'access.begun_anew', by, text });
    if (wasReady) return;
    if (limited.others)
      for (const name of limited.names)
        if (tables.byName('client', name) === undefined) this.create({ kind: 'client', name }, by);
    this.#onLoaded();
  }

  /** Replaces everything with what is stored now. Identities that may do less than before lose it at once. */
  async reload(): Promise<void> {
    const { tables } = this;
    const before = tables.identities().map((identity) => ({ identity, rules: tables.rulesOf(identity.id) }));
    this.#replaceAll(await this.#options.store.beginAnew());
    const now = this.#options.clock.now();
    for (const { identity, rules } of before) {
      const after = tables.identity(identity.id);
      this.#changed.fire(identity.id);
      const hasLostAccess = after === undefined || endedVerdict(after, now) !== undefined;
      if (hasLostAccess || (identity.hasToken && !after.hasToken)) this.#ended.fire(identity);
      else if (rules !== undefined) this.#withdrawn.fire({ identity: after, before: rules });
    }
    for (const { id } of tables.identities()) this.#changed.fire(id);
    this.#onLoaded();
  }

  /** Resolves when every change is on disk; rejects with `access.unsaved`. */
  async saved(): Promise<void> {
    if (!(await this.tables.saved())) throw problems.unsaved();
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
    this.#record('identity.created', identity, by, `${this.#name(identity)} was added.`);
    return identity;
  }

  /** Issues a new bearer token; the previous one stops working. */
  rotate(id: string, by: string): { readonly identity: Identity; readonly token: string } {
    const before = this.#identity(id);
    const { token, hash } = makeToken(id);
    const identity = { ...before, hasToken: true };
    this.tables.putIdentity(identity, hash);
    this.#record('identity.token_made', identity, by, `${this.#name(identity)} has a new access token.`);
    if (before.hasToken) this.#ended.fire(identity);
    return { identity, token };
  }

  revoke(id: string, by: string): void {
    const before = this.#identity(id);
    if (before.revokedAt !== undefined) return;
    const identity = { ...before, revokedAt: this.#options.clock.now() };
    this.tables.putIdentity(identity);
    this.#record('identity.revoked', identity, by, `${this.#name(identity)} lost all access.`);
    this.#ended.fire(identity);
  }

  restore(id: string, by: string): void {
    const { revokedAt, ...identity } = this.#identity(id);
    if (revokedAt === undefined) return;
    this.tables.putIdentity(identity);
    this.#record('identity.restored', identity, by, `${this.#name(identity)} has access again.`);
  }

  remove(id: string, by: string): void {
    const identity = this.#identity(id);
    this.tables.dropIdentity(id);
    this.#record('identity.removed', identity, by, `${this.#name(identity)} was removed.`);
    this.#ended.fire(identity);
  }

  grant({ grantedBy = 'the hub', ...input }: GrantInput): Grant {
    const identity = this.#identity(input.identityId);
    const before = this.tables.grantLike(input);
    const grant: Grant = { ...input, id: randomUUID(), grantedAt: this.#options.clock.now(), grantedBy };
    this.#withdraw(identity, () => {
      if (before !== undefined) this.tables.dropGrant(before);
      this.tables.putGrant(grant);
    });
    this.#record('grant.made', identity, grantedBy, this.#grantText(identity, grant), { grant });
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
    this.#record(kind, identity, by, this.#grantText(identity, grant, 'no longer '), { grant });
  }

  /** Stores the same grant for a target that has been renamed. */
  moveGrant(grant: Grant): void {
    const identity = this.#identity(grant.identityId);
    this.tables.putGrant(grant);
    const text = this.#grantText(identity, grant, '', ' (new name)');
    this.#record('grant.moved', identity, 'the hub', text, { grant });
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
    const tokenId = randomUUID();
    const token = { tokenId, identityId, serverKey, tool, createdAt, expiresAt };
    this.tables.putToken(token);
    const minutes = Math.ceil((expiresAt - createdAt) / 60_000);
    const text = `${this.#name(identity)} may call ${serverKey}:${tool} for ${minutes} min.`;
    this.#record('token.issued', identity, by, text, { serverKey, tool, tokenId });
    return token;
  }

  revokeToken(tokenId: string, by: string): void {
    this.#requireReady();
    const token = this.tables.token(tokenId);
    if (token === undefined) throw problems.unknownToken(tokenId);
    const identity = this.#identity(token.identityId);
    this.#withdraw(identity, () => this.tables.dropToken(token));
    const { serverKey, tool } = token;
    const text = `${this.#name(identity)}: the token for ${serverKey}:${tool} was revoked.`;
    this.#record('token.revoked', identity, by, text, { serverKey, tool, tokenId });
  }

  /** Returns the client with one of these names while nothing can be read; undefined if it has to wait. */
  standIn(names: readonly string[]): string | undefined {
    if (this.#state.kind !== 'unreadable' || !isOpenTo(this.#state.open, names)) return undefined;
    const { tables } = this;
    const name = identityName(names);
    const known = tables.byName('client', name);
    if (known !== undefined) return known.id;
    const identityId = tables.freeId();
    const now = this.#options.clock.now();
    tables.putIdentity({ id: identityId, kind: 'client', name, createdAt: now, hasToken: false });
    const granted = { grantedAt: now, grantedBy: 'the hub' };
    tables.putGrant({ id: randomUUID(), identityId, effect: 'allow', scope: { kind: 'all' }, ...granted });
    return identityId;
  }

  /** Records that the identity has connected, at most once a day. */
  markSeen(id: string): void {
    const identity = this.tables.identity(id);
    const now = this.#options.clock.now();
    if (identity === undefined || now - (identity.lastSeenAt ?? 0) < dayMs) return;
    this.tables.deferSaving(() => this.tables.putIdentity({ ...identity, lastSeenAt: now }));
  }

  /** Returns the identity that a bearer token belongs to, if it still has access. */
  identify(bearer: string): Identity | undefined {
    const identity = this.tables.byToken(bearer);
    if (identity === undefined || endedVerdict(identity, this.#options.clock.now()) !== undefined)
      return undefined;
    return identity;
  }

  /** Records an event about an approval for the audit log. */
  record(identityId: string, event: Pick<AccessEvent, 'kind' | 'by' | 'text'> & EventFacts): void {
    const identity = this.tables.identity(identityId);
    if (identity !== undefined) this.#fireEvent(event, identity);
  }

  dispose(): void {
    this.#expiryTimer?.dispose();
    for (const emitter of [this.#changed, this.#ended, this.#withdrawn, this.#loaded, this.#recorded])
      emitter.dispose();
  }

  #replaceAll(stored: Awaited<ReturnType<AccessStore['load']>>): void {
    this.tables.isStored = true;
    this.tables.refill(stored, this.#options.clock.now());
    this.#state = { kind: 'ready' };
  }

  #onLoaded(): void {
    this.#loaded.fire();
    this.#scheduleExpiry();
  }

  /** Applies a change that takes something away, then has the active calls checked. */
  #withdraw(identity: Identity, change: () => void): void {
    const before = this.tables.rulesOf(identity.id);
    change();
    if (before !== undefined) this.#withdrawn.fire({ identity, before });
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

  #name(identity: Identity): string {
    return this.tables.displayName(identity);
  }

  #grantText(identity: Identity, { effect, scope }: Grant, before = '', after = ''): string {
    return `${this.#name(identity)}: ${before}${effectTexts[effect]} ${scopeText(scope)}${after}.`;
  }

  #record(kind: AccessEventKind, identity: Identity, by: string, text: string, facts: EventFacts = {}): void {
    this.#fireEvent({ kind, by, text, ...facts }, identity);
  }

  #fireEvent(event: Omit<AccessEvent, 'at' | 'identity'>, about?: Identity): void {
    const identity = about && { id: about.id, kind: about.kind, name: about.name };
    const at = this.#options.clock.now();
    this.#recorded.fire({ ...event, at, ...(identity === undefined ? {} : { identity }) });
  }

  /**
   * Wakes up at the next expiry, so that lists and sessions are updated; calls themselves are checked against
   * the clock.
   */
  #scheduleExpiry(): void {
    this.#expiryTimer?.dispose();
    const { clock } = this.#options;
    const now = clock.now();
    // The clock may have been set back.
    this.#expiriesReportedUntil = Math.min(this.#expiriesReportedUntil, now);
    const next = this.tables.nextExpiry(this.#expiriesReportedUntil);
    if (next === undefined) return;
    const waitMs = Math.min(Math.max(0, next - now), maxExpiryWaitMs);
    this.#expiryTimer = clock.after(waitMs, () => this.#reportExpiries());
  }

  #reportExpiries(): void {
    const from = this.#expiriesReportedUntil;
    const now = this.#options.clock.now();
    this.#expiriesReportedUntil = now;
    const hasEnded = (at: number | undefined) => at !== undefined && at > from && at <= now;
    for (const identity of this.tables.identities()) {
      const { id } = identity;
      const parts = [identity, ...this.tables.grants(id), ...this.tables.tokens(id)];
      if (parts.some(({ expiresAt }) => hasEnded(expiresAt))) this.#changed.fire(id);
      if (!hasEnded(identity.expiresAt)) continue;
      const text = `The access of ${this.#name(identity)} has expired.`;
      this.#record('identity.expired', identity, 'the hub', text);
      this.#ended.fire(identity);
    }
    this.#scheduleExpiry();
  }
}

const effectTexts = { allow: 'may call', ask: 'asks before it calls', deny: 'may not call' } as const;

const dayMs = 24 * 60 * 60_000;

/** Wakes up at least this often, because the clock may be changed in between. */
const maxExpiryWaitMs = 60 * 60_000;
