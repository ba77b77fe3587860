import type { Decision, Identity, NewClients } from '../../../shared/model/access/access.ts';
import { Emitter } from '../base/emitter.ts';
import type { Catalogue, NamedItem } from '../catalogue/contract.ts';
import { hasServer } from '../catalogue/has-server.ts';
import type { SessionAccess, SessionGrants } from '../gateway/session/session-contract.ts';
import type { RawRequest } from '../jsonrpc/raw-message.ts';
import { type CallAuthorizer, hubSessionId, type UnapprovedCall } from '../routing/contract.ts';
import { isTesterSession } from '../routing/tester-session.ts';
import type { AccessService } from './access-service.ts';
import type { ApprovalQueue } from './approval-queue.ts';
import type { Authorizer } from './authorizer.ts';
import { identifyClient } from './identify-client.ts';
import { notAllowed, nothingGranted, serverNotAllowed } from './refusals.ts';
import type { GrantedPart } from './rules/granted-part.ts';
import { riskOf } from './rules/risk.ts';

export interface SessionsAccessOptions {
  readonly service: AccessService;
  readonly authorizer: Authorizer;
  readonly approvals: ApprovalQueue;
  readonly newClients: () => NewClients;
  readonly catalogue: () => Catalogue;
  /** Returns the arguments of a call in readable form, secrets masked. */
  readonly show: (message: RawRequest) => string;
}

/**
 * Knows the identity of each session and what it may do: sessions get their part of the catalogue, the router
 * gets decisions about calls.
 */
export class SessionsAccess implements SessionAccess, CallAuthorizer {
  readonly #options: SessionsAccessOptions;
  readonly #sessions = new Map<string, GrantedSession>();
  /** Names of sessions that have ended, for calls that finish after them. */
  readonly #endedNames = new Map<string, string>();

  constructor(options: SessionsAccessOptions) {
    this.#options = options;
    options.service.onLoaded(() => {
      for (const session of this.#sessions.values()) session.loaded();
    });
    options.service.onChange((identityId) => {
      for (const session of this.#sessions.values()) if (session.identityId === identityId) session.changed();
    });
  }

  open(sessionId: string, identityId: string | undefined): GrantedSession {
    const session = new GrantedSession(this.#options, identityId, () => {
      if (this.#sessions.get(sessionId) !== session) return;
      this.#rememberName(sessionId, this.displayName(sessionId));
      this.#sessions.delete(sessionId);
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  decide(sessionId: string, tool: NamedItem): Decision {
    const session = this.#sessions.get(sessionId);
    if (session === undefined && isOwnSession(sessionId)) return ownDecision;
    return this.#options.authorizer.decide(session?.identityId, tool);
  }

  refusal(sessionId: string, tool: NamedItem, decision: Decision) {
    return notAllowed(this.#nameOf(sessionId), tool, decision);
  }

  async requestApproval(
    { sessionId, message, signal }: UnapprovedCall,
    tool: NamedItem,
    notify: (text: string) => void,
  ) {
    const { approvals, show } = this.#options;
    const identityId = this.#sessions.get(sessionId)?.identityId ?? '';
    const risk = riskOf(tool.name, tool.item);
    const clientName = this.displayName(sessionId) ?? 'This client';
    const argumentsText = () => show(message);
    await approvals.ask({ identityId, clientName, tool, risk, argumentsText, signal, notify });
    // Rules may have changed while the call waited.
    const decision = this.decide(sessionId, tool);
    if (decision.effect === 'deny') throw this.refusal(sessionId, tool, decision);
  }

  refusesServer(sessionId: string, serverKey: string) {
    const session = this.#sessions.get(sessionId);
    if (session === undefined && isOwnSession(sessionId)) return undefined;
    if (session?.mayUse(serverKey)) return undefined;
    return serverNotAllowed(this.#nameOf(sessionId), serverKey);
  }

  /** Returns the identity id of a session, even if the identity has been removed. */
  identityIdOf(sessionId: string): string | undefined {
    return this.#sessions.get(sessionId)?.identityId;
  }

  /** Returns the identity of a session; undefined for anonymous and ended sessions. */
  identityOf(sessionId: string): Identity | undefined {
    return this.#sessions.get(sessionId)?.identity;
  }

  /**
   * Returns the display name of the session's identity, also shortly after it ended; undefined for anonymous
   * sessions.
   */
  displayName(sessionId: string): string | undefined {
    const identity = this.identityOf(sessionId);
    return identity === undefined
      ? this.#endedNames.get(sessionId)
      : this.#options.service.tables.displayName(identity);
  }

  /**
   * Returns the name of the session's agent, whatever program it uses; undefined for clients and anonymous
   * sessions.
   */
  agentName(sessionId: string): string | undefined {
    return this.identityOf(sessionId)?.kind === 'agent' ? this.displayName(sessionId) : undefined;
  }

  #rememberName(sessionId: string, name: string | undefined): void {
    if (name === undefined) return;
    this.#endedNames.set(sessionId, name);
    for (const oldest of this.#endedNames.keys()) {
      if (this.#endedNames.size <= maxEnded) break;
      this.#endedNames.delete(oldest);
    }
  }

  #nameOf(sessionId: string): string {
    return this.identityOf(sessionId)?.name ?? 'This client';
  }
}

/** One session. It is anonymous until it has sent its client info, unless it came with a bearer token. */
class GrantedSession implements SessionGrants {
  readonly #options: SessionsAccessOptions;
  readonly #changes = new Emitter<void>();
  readonly #hasOwnToken: boolean;
  readonly #onDispose: () => void;
  readonly onChange = this.#changes.event;
  identityId: string | undefined;
  /** Names from its client info, once sent. */
  #names: readonly string[] | undefined;
  /** Created on demand, and again after each change. */
  #part: GrantedPart | undefined;

  constructor(options: SessionsAccessOptions, identityId: string | undefined, onDispose: () => void) {
    this.#options = options;
    this.identityId = identityId;
    this.#hasOwnToken = identityId !== undefined;
    this.#onDispose = onDispose;
  }

  get identity(): Identity | undefined {
    return this.identityId === undefined ? undefined : this.#options.service.tables.identity(this.identityId);
  }

  identify(names: readonly string[]): void {
    this.#names = names;
    const { service, newClients } = this.#options;
    if (!this.#hasOwnToken) this.identityId = identifyClient(service, names, newClients());
    else if (this.identityId !== undefined) service.markSeen(this.identityId);
    this.#part = undefined;
  }

  select(catalogue: Catalogue): Catalogue {
    const part = this.#part ?? this.#makePart();
    return part === undefined ? emptyCatalogue : part.select(catalogue);
  }

  mayUse(serverKey: string): boolean {
    const catalogue = this.#options.catalogue();
    if (hasServer(catalogue, serverKey)) return hasServer(this.select(catalogue), serverKey);
    const part = this.#part ?? this.#makePart();
    return part?.passesServer(serverKey) ?? false;
  }

  explain(): string {
    const reason = this.#options.authorizer.decide(this.identityId, { serverKey: '', name: '' }).reason;
    return nothingGranted(this.identity?.name ?? 'this client', reason);
  }

  /** Stand-in identities have other ids once the database has been read. */
  loaded(): void {
    if (this.#names !== undefined) this.identify(this.#names);
    this.changed();
  }

  changed(): void {
    this.#part = undefined;
    // The identities could not be read when it connected.
    if (this.identityId === undefined && this.#names !== undefined) this.identify(this.#names);
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
    this.#onDispose();
  }

  #makePart(): GrantedPart | undefined {
    this.#part = this.identityId === undefined ? undefined : this.#options.authorizer.part(this.identityId);
    return this.#part;
  }
}

const maxEnded = 1_000;

/** The hub's own calls, and those of the person at the window. */
function isOwnSession(sessionId: string): boolean {
  return sessionId === hubSessionId || isTesterSession(sessionId);
}

const emptyCatalogue: Catalogue = { revision: 0, servers: [], off: [] };

const ownDecision: Decision = {
  effect: 'allow',
  code: 'granted',
  reason: 'This is a call of Patchbay itself.',
  cached: true,
};
