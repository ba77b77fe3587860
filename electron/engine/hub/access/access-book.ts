import { randomUUID } from 'node:crypto';
import type { Grant, GrantInput, Identity, ToolToken } from '../../../../shared/model/access.ts';
import { endOf } from '../../../../shared/model/access-decision.ts';
import { scopeText } from '../../../../shared/model/access-text.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import { everybody, identityName, isOpenTo, type OpenClients } from '../../catalogue/open-clients.ts';
import type { AccessChange, AccessStore } from '../../store/state/access-store.ts';
import * as problems from './access-problems.ts';
import { AccessTables } from './access-tables.ts';
import type { AccessEvent, NewIdentity } from './contract.ts';
import { Endings } from './endings.ts';
import { makeToken } from './own-token.ts';
import { UnsavedChanges } from './unsaved-changes.ts';

export interface AccessBookOptions {
  readonly store: AccessStore;
  readonly clock: Clock;
  /** Milliseconds that a token for a tool lives. */
  readonly tokenTtl: () => number;
  /** What bridges were told of who may have everything: all there is to go by where nothing can be read. */
  readonly lastResort: () => Promise<OpenClients>;
}

type State = 'loading' | 'ready' | 'unreadable';

type Told = Omit<AccessEvent, 'at' | 'identity'>;

/**
 * The owner of who may call what: identities, their grants, their tokens. Whatever is changed holds at once and is written
 * down a moment later; `saved` tells when. As long as it has not been read, nobody is known and nothing can be changed. Where
 * it cannot be read, local clients that might have everything when that was last written down still do, and nobody else
 * has anything: a hub without its database serves on.
 */
export class AccessBook implements Disposable {
  readonly tables: AccessTables;
  readonly #options: AccessBookOptions;
  readonly #endings: Endings;
  readonly #unsaved: UnsavedChanges;
  readonly #changes = new Emitter<string>();
  readonly #ended = new Emitter<Identity>();
  readonly #told = new Emitter<AccessEvent>();
  readonly #looked = new Emitter<void>();
  /** Of what this identity may do something is other now, or may have ended. */
  readonly onChange = this.#changes.event;
  /** It may do nothing any more; or, after a new token, nothing with the old one. */
  readonly onEnded = this.#ended.event;
  readonly onEvent = this.#told.event;
  /** It has been read, or it is known that it cannot be. */
  readonly onLoaded = this.#looked.event;
  #state: State = 'loading';
  /** Where nothing can be read. */
  #open: OpenClients | undefined;

  constructor(options: AccessBookOptions) {
    this.#options = options;
    this.tables = new AccessTables(
      (change) => this.#keep(change),
      (identityId) => this.#touched(identityId),
    );
    this.#unsaved = new UnsavedChanges(options.store);
    this.#endings = new Endings({
      tables: this.tables,
      clock: options.clock,
      changed: (identityId) => this.#changes.fire(identityId),
      expired: (identity) => this.#expired(identity),
    });
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Reads what was kept. What keeps it from being read is reported where that is found out. */
  async load(): Promise<void> {
    try {
      this.tables.fill(await this.#options.store.load(), this.#options.clock.now());
      this.#state = 'ready';
    } catch {
      this.#open = await this.#options.lastResort();
      this.#state = 'unreadable';
    }
    this.#looked.fire();
    this.#endings.schedule();
  }

  /**
   * Goes on with what could be saved, where some of it was lost. Clients that could not have everything are known again, and
   * have nothing until somebody grants it.
   */
  async beginAnew(by: string): Promise<void> {
    const kept = await this.#options.store.beginAnew();
    if (this.#state === 'ready') return this.#keepAll();
    for (const { id } of this.tables.identities()) this.tables.dropIdentity(id);
    this.tables.fill(kept, this.#options.clock.now());
    this.#state = 'ready';
    const { others, names } = this.#open ?? everybody;
    this.#open = undefined;
    for (const name of others ? names : [])
      if (this.tables.byName('client', name) === undefined) this.create({ kind: 'client', name }, by);
    this.#looked.fire();
    this.#endings.schedule();
  }

  /** See {@link UnsavedChanges.lightly}. */
  lightly<T>(change: () => T): T {
    return this.#unsaved.lightly(change);
  }

  /** What waits is written a moment later. */
  settle(): void {
    this.#unsaved.settle();
  }

  /** Resolves when all of it is on disk; rejects with `access.unsaved`. */
  async saved(): Promise<void> {
    if (!(await this.#unsaved.saved())) throw problems.unsaved();
  }

  create({ kind, name, owner, expiresAt }: NewIdentity, by: string): Identity {
    this.#requireReady();
    if (this.tables.byName(kind, name) !== undefined) throw problems.identityExists(kind, name);
    const identity: Identity = {
      id: this.#freeId(),
      kind,
      name,
      ...(owner === undefined ? {} : { owner }),
      createdAt: this.#options.clock.now(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      hasToken: false,
    };
    this.tables.putIdentity(identity);
    this.#tell(identity, { kind: 'identity.created', by, text: `${name} became known.` });
    return identity;
  }

  /** A new token of its own; the one before is none any more. */
  rotate(id: string, by: string): { readonly identity: Identity; readonly token: string } {
    const before = this.#identity(id);
    const { token, hash } = makeToken(id);
    const identity = { ...before, hasToken: true };
    this.tables.putIdentity(identity, hash);
    this.#tell(identity, {
      kind: 'identity.token_made',
      by,
      text: `${identity.name} has a new token of its own.`,
    });
    if (before.hasToken) this.#ended.fire(identity);
    return { identity, token };
  }

  revoke(id: string, by: string): void {
    const before = this.#identity(id);
    if (before.revokedAt !== undefined) return;
    const identity = { ...before, revokedAt: this.#options.clock.now() };
    this.tables.putIdentity(identity);
    this.#tell(identity, { kind: 'identity.revoked', by, text: `${identity.name} may do nothing any more.` });
    this.#ended.fire(identity);
  }

  restore(id: string, by: string): void {
    const { revokedAt, ...identity } = this.#identity(id);
    if (revokedAt === undefined) return;
    this.tables.putIdentity(identity);
    this.#tell(identity, {
      kind: 'identity.restored',
      by,
      text: `${identity.name} may do again what is granted.`,
    });
  }

  remove(id: string, by: string): void {
    const identity = this.#identity(id);
    this.tables.dropIdentity(id);
    this.#tell(identity, { kind: 'identity.removed', by, text: `${identity.name} was forgotten.` });
    this.#ended.fire(identity);
  }

  grant({ grantedBy = 'the hub', ...input }: GrantInput): Grant {
    const identity = this.#identity(input.identityId);
    const before = this.tables.grantLike(input);
    const grant: Grant = { ...input, id: randomUUID(), grantedAt: this.#options.clock.now(), grantedBy };
    if (before !== undefined) this.tables.dropGrant(before);
    this.tables.putGrant(grant);
    const text = `${identity.name}: ${verbs[grant.effect]} ${scopeText(grant.scope)}.`;
    this.#tell(identity, { kind: 'grant.made', by: grantedBy, text, grant });
    return grant;
  }

  revokeGrant(grantId: string, by: string): void {
    this.#requireReady();
    const grant = this.tables.grant(grantId);
    if (grant === undefined) throw problems.unknownGrant(grantId);
    this.dropGrant(grant, 'grant.revoked', by);
  }

  dropGrant(grant: Grant, kind: 'grant.revoked' | 'grant.dropped', by: string): void {
    const identity = this.#identity(grant.identityId);
    this.tables.dropGrant(grant);
    const text = `${identity.name}: no longer ${verbs[grant.effect]} ${scopeText(grant.scope)}.`;
    this.#tell(identity, { kind, by, text, grant });
  }

  /** The same grant, about something that has another name now. */
  moveGrant(grant: Grant): void {
    const identity = this.#identity(grant.identityId);
    this.tables.putGrant(grant);
    const text = `${identity.name}: ${verbs[grant.effect]} ${scopeText(grant.scope)}, as it is called now.`;
    this.#tell(identity, { kind: 'grant.moved', by: 'the hub', text, grant });
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
    const text = `${identity.name} may call ${serverKey}:${tool} for ${Math.ceil((expiresAt - createdAt) / 60_000)} min.`;
    this.#tell(identity, { kind: 'token.issued', by, text, serverKey, tool, tokenId: token.tokenId });
    return token;
  }

  revokeToken(tokenId: string, by: string): void {
    this.#requireReady();
    const token = this.tables.token(tokenId);
    if (token === undefined) throw problems.unknownToken(tokenId);
    const identity = this.#identity(token.identityId);
    this.tables.dropToken(token);
    const { serverKey, tool } = token;
    const text = `${identity.name}: the token for ${serverKey}:${tool} was revoked.`;
    this.#tell(identity, { kind: 'token.revoked', by, text, serverKey, tool, tokenId });
  }

  /** The client of this name while nothing can be read; undefined where it has to wait. It is kept nowhere. */
  standIn(names: readonly string[]): string | undefined {
    if (this.#open === undefined || !isOpenTo(this.#open, names)) return undefined;
    const name = identityName(names);
    const known = this.tables.byName('client', name);
    if (known !== undefined) return known.id;
    const id = this.#freeId();
    const createdAt = this.#options.clock.now();
    this.tables.putIdentity({ id, kind: 'client', name, createdAt, hasToken: false });
    const scope = { kind: 'all' } as const;
    this.tables.putGrant({
      id: randomUUID(),
      identityId: id,
      effect: 'allow',
      scope,
      grantedAt: createdAt,
      grantedBy: 'the hub',
    });
    return id;
  }

  /** It has connected. Noted once a day. */
  seen(id: string): void {
    const identity = this.tables.identity(id);
    const now = this.#options.clock.now();
    if (identity === undefined || now - (identity.lastSeenAt ?? 0) < day) return;
    this.lightly(() => this.tables.putIdentity({ ...identity, lastSeenAt: now }));
  }

  /** Of whom a bearer token is that may do something. */
  identify(bearer: string): Identity | undefined {
    const identity = this.tables.byToken(bearer);
    if (identity === undefined || endOf(identity, this.#options.clock.now()) !== undefined) return undefined;
    return identity;
  }

  /** Told to whoever keeps the audit. */
  tell(identityId: string, event: Told): void {
    const identity = this.tables.identity(identityId);
    if (identity !== undefined) this.#tell(identity, event);
  }

  dispose(): void {
    this.#endings.dispose();
    this.#changes.dispose();
    this.#ended.dispose();
    this.#told.dispose();
    this.#looked.dispose();
  }

  /** What was lost on the disk is known here. */
  #keepAll(): void {
    for (const identity of this.tables.identities()) this.tables.putIdentity(identity);
    for (const grant of this.tables.grants()) this.tables.putGrant(grant);
    for (const token of this.tables.tokens()) this.tables.putToken(token);
  }

  #keep(change: AccessChange): void {
    if (this.#state !== 'unreadable') this.#unsaved.add(change);
  }

  #identity(id: string): Identity {
    this.#requireReady();
    const identity = this.tables.identity(id);
    if (identity === undefined) throw problems.unknownIdentity(id);
    return identity;
  }

  #requireReady(): void {
    if (this.#state !== 'ready') throw problems.unreadable();
  }

  #freeId(): string {
    const id = randomUUID();
    return this.tables.isFree(id) ? id : this.#freeId();
  }

  #touched(identityId: string): void {
    this.#changes.fire(identityId);
    this.#endings.schedule();
  }

  #expired(identity: Identity): void {
    const text = `The access of ${identity.name} has ended.`;
    this.#tell(identity, { kind: 'identity.expired', by: 'the hub', text });
    this.#ended.fire(identity);
  }

  #tell({ id, kind, name }: Identity, event: Told): void {
    this.#told.fire({ ...event, at: this.#options.clock.now(), identity: { id, kind, name } });
  }
}

const verbs = { allow: 'may call', ask: 'asks before it calls', deny: 'may not call' } as const;

const day = 24 * 60 * 60_000;
