import { timingSafeEqual } from 'node:crypto';
import type { AccessView, Decision, Identity, NewClients } from '../../../shared/model/access/access.ts';
import type { LimitValues } from '../../../shared/model/hub/limits.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { readOpenClients } from '../catalogue/open-clients.ts';
import type { SessionRegistry } from '../gateway/session/session-registry.ts';
import type { RawRequest } from '../jsonrpc/raw-message.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import { loadOrCreateToken } from '../store/files/token.ts';
import { AccessService } from './access-service.ts';
import type { AccessStore } from './access-store.ts';
import { ApprovalQueue } from './approval-queue.ts';
import { Authorizer } from './authorizer.ts';
import { hashOf } from './bearer-token.ts';
import { CallCanceller, type CancellableCalls } from './call-canceller.ts';
import { OpenClientsFile } from './open-clients-file.ts';
import { accessEnded } from './refusals.ts';
import { ServerGrantSync } from './server-grant-sync.ts';
import { SessionsAccess } from './sessions-access.ts';
import { ToolItems } from './tool-items.ts';

export interface AccessResourcesOptions {
  readonly paths: Pick<DataPaths, 'adminToken' | 'openClients'>;
  readonly store: AccessStore;
  readonly limits: { readonly current: LimitValues };
  readonly clock: Clock;
  readonly log: Logger;
  readonly opened: CloseStack;
}

/** The stored access data. */
export interface AccessResources {
  readonly service: AccessService;
  readonly serverGrants: ServerGrantSync;
  /** Gives full access to administration; belongs to no identity. */
  readonly adminToken: string;
}

/**
 * Reads the stored data. A slow database delays the start only briefly, but nothing is allowed until it has
 * been read.
 */
export async function openAccessResources(options: AccessResourcesOptions): Promise<AccessResources> {
  const { paths, store, limits, clock, log, opened } = options;
  const adminToken = await loadOrCreateToken(paths.adminToken, ({ sentence, fix }) =>
    log.log('warn', `${sentence} ${fix}`),
  );
  const tokenTtl = () => limits.current.tokenTtlMinutes * minuteMs;
  const service = new AccessService({
    store,
    clock,
    tokenTtl,
    fallbackClients: () => readOpenClients(paths.openClients),
  });
  opened.defer(() => {
    service.tables.queuePending();
    service.dispose();
  });
  const timeout = new AbortController();
  await Promise.race([service.load(), delay(clock, loadTimeoutMs, timeout.signal)]);
  timeout.abort();
  return { service, serverGrants: new ServerGrantSync(service), adminToken };
}

export interface HubAccessOptions {
  readonly resources: AccessResources;
  readonly limits: { readonly current: LimitValues };
  readonly newClients: NewClients;
  readonly askDestructive: boolean;
  readonly catalogue: () => Catalogue;
  /** Returns the arguments of a call in readable form, secrets masked. */
  readonly show: (message: RawRequest) => string;
  /** File that tells bridges which clients have full access. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly opened: CloseStack;
}

/** Access control of a running hub. */
export class HubAccess {
  readonly service: AccessService;
  readonly adminToken: string;
  readonly authorizer: Authorizer;
  readonly approvals: ApprovalQueue;
  /** The identity of each session. Callers that act for an identity open a session here. */
  readonly sessions: SessionsAccess;
  readonly #openClients: OpenClientsFile;
  readonly #catalogue: () => Catalogue;
  readonly #clock: Clock;
  readonly #items = new ToolItems();
  readonly #settings = new Emitter<void>();
  readonly onSettings = this.#settings.event;
  #newClients: NewClients;

  constructor(options: HubAccessOptions) {
    const { resources, limits, newClients, catalogue, show, file, clock, log, opened } = options;
    const { service, adminToken } = resources;
    this.service = service;
    this.adminToken = adminToken;
    this.#newClients = newClients;
    service.tables.askDestructive = options.askDestructive;
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#openClients = new OpenClientsFile({ file, service, newClients: () => this.newClients, clock, log });
    opened.defer(() => this.#openClients.close());
    this.authorizer = new Authorizer({
      service,
      clock,
      cacheTtl: () => limits.current.authCacheTtl * minuteMs,
    });
    const { authorizer } = this;
    const approvals = new ApprovalQueue({ service, authorizer, clock });
    opened.defer(() => approvals.dispose());
    this.approvals = approvals;
    this.sessions = new SessionsAccess({
      service,
      authorizer,
      approvals,
      newClients: () => this.newClients,
      catalogue,
      show,
    });
  }

  get newClients(): NewClients {
    return this.#newClients;
  }

  set newClients(next: NewClients) {
    // Clients that have full access now would not get it again once the default changes.
    if (next !== 'everything') this.service.tables.queuePending();
    this.#newClients = next;
    this.#openClients.defaultChanged();
    this.#settings.fire();
  }

  /** Asks about destructive tools from the next call on, where no rule more specific than a grant of everything decides. */
  askDestructive(isOn: boolean): void {
    this.service.tables.askDestructive = isOn;
    this.#settings.fire();
  }

  view(): AccessView {
    const { tables } = this.service;
    return {
      identities: tables.identities(),
      grants: tables.grants(),
      tokens: tables.tokens(),
      newClients: this.newClients,
      askDestructive: tables.askDestructive,
    };
  }

  authorize(identityId: string, serverKey: string, tool: string): Decision {
    const item = this.#items.find(this.#catalogue(), serverKey, tool);
    return this.authorizer.decide(identityId, { serverKey, name: tool, item });
  }

  /** Finds whose bearer token it is, in constant time; revoked and expired ones are nobody's. */
  identify(bearer: string): 'admin' | Identity | undefined {
    return isSame(bearer, this.adminToken) ? 'admin' : this.service.identify(bearer);
  }

  /** Closes the sessions of identities that lose access, and cancels calls whose grant is taken back. */
  enforceWithdrawals({ revoke }: Pick<SessionRegistry, 'revoke'>, calls: CancellableCalls): void {
    const { service, authorizer, sessions } = this;
    const canceller = new CallCanceller({
      calls,
      identityIdOf: (sessionId) => sessions.identityIdOf(sessionId),
      rulesOf: (identityId) => service.tables.rulesOf(identityId),
      authorizer,
      catalogue: this.#catalogue,
      now: () => this.#clock.now(),
    });
    service.onEnded((identity) => {
      void revoke(identity.id, accessEnded(identity.name));
      canceller.ended(identity);
    });
    service.onWithdrawn((withdrawal) => canceller.withdrawn(withdrawal));
  }
}

/** Compares texts of any length in constant time. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(one), 'hex'), Buffer.from(hashOf(other), 'hex'));
}

const minuteMs = 60_000;

/** Milliseconds. */
const loadTimeoutMs = 5_000;
