import type { Decision, Identity, NewClients } from '../../../../shared/model/access.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Catalogue, NamedItem } from '../../catalogue/contract.ts';
import { hasServer } from '../../catalogue/has-server.ts';
import type { SessionAccess, SessionGrants } from '../../gateway/session-contract.ts';
import type { GrantedPart } from '../../policy/access/granted-part.ts';
import { riskOf } from '../../policy/access/risk.ts';
import { type CallAuthorizer, noSession, type RouteRequest } from '../../route/contract.ts';
import type { RawRequest } from '../../rpc/raw-message.ts';
import type { PersonTime } from '../person-time.ts';
import { isTesterSession } from '../tester/identity.ts';
import type { AccessBook } from './access-book.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { welcome } from './first-connection.ts';
import { notAllowed, nothingGranted, serverNotAllowed } from './refusals.ts';
import type { Standings } from './standings.ts';

export interface SessionsAccessOptions {
  readonly book: AccessBook;
  readonly standings: Standings;
  readonly desk: ApprovalDesk;
  readonly persons: Pick<PersonTime, 'allowing'>;
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
  readonly #ended = new Map<string, string>();

  constructor(options: SessionsAccessOptions) {
    this.#options = options;
    options.book.onLoaded(() => {
      for (const session of this.#sessions.values()) session.loaded();
    });
    options.book.onChange((identityId) => {
      for (const session of this.#sessions.values()) if (session.identityId === identityId) session.changed();
      this.#review(identityId);
    });
  }

  open(sessionId: string, identityId: string | undefined): GrantedSession {
    const session = new GrantedSession(this.#options, identityId, () => {
      if (this.#sessions.get(sessionId) !== session) return;
      this.#keepName(sessionId, this.holderName(sessionId));
      this.#sessions.delete(sessionId);
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  decide(sessionId: string, tool: NamedItem): Decision {
    const session = this.#sessions.get(sessionId);
    if (session === undefined && isOurs(sessionId)) return ours;
    return this.#options.standings.decide(session?.identityId, tool);
  }

  refusal(sessionId: string, tool: NamedItem, decision: Decision) {
    return notAllowed(this.#nameOf(sessionId), tool, decision);
  }

  async ask({ sessionId, message, signal }: RouteRequest, tool: NamedItem, tell: (text: string) => void) {
    const { desk, persons, show } = this.#options;
    const identityId = this.#sessions.get(sessionId)?.identityId ?? '';
    const risk = riskOf(tool.name, tool.item);
    const clientName = this.holderName(sessionId) ?? 'This client';
    const argumentsText = () => show(message);
    await persons.allowing(message, () =>
      desk.ask({ identityId, clientName, tool, risk, argumentsText, signal, tell }),
    );
    // Rules may have changed while the call waited.
    const decision = this.decide(sessionId, tool);
    if (decision.effect === 'deny') throw this.refusal(sessionId, tool, decision);
  }

  refusesServer(sessionId: string, serverKey: string) {
    const session = this.#sessions.get(sessionId);
    if (session === undefined && isOurs(sessionId)) return undefined;
    if (session?.mayUse(serverKey)) return undefined;
    return serverNotAllowed(this.#nameOf(sessionId), serverKey);
  }

  /** Returns the identity id of a session, even if the identity has been removed. */
  holderOf(sessionId: string): string | undefined {
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
  holderName(sessionId: string): string | undefined {
    const identity = this.identityOf(sessionId);
    return identity === undefined ? this.#ended.get(sessionId) : this.#options.book.tables.toldName(identity);
  }

  /**
   * Returns the name of the session's agent, whatever program it uses; undefined for clients and anonymous
   * sessions.
   */
  agentName(sessionId: string): string | undefined {
    return this.identityOf(sessionId)?.kind === 'agent' ? this.holderName(sessionId) : undefined;
  }

  #keepName(sessionId: string, name: string | undefined): void {
    if (name === undefined) return;
    this.#ended.set(sessionId, name);
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= mostEnded) break;
      this.#ended.delete(oldest);
    }
  }

  #nameOf(sessionId: string): string {
    return this.identityOf(sessionId)?.name ?? 'This client';
  }

  #review(identityId: string): void {
    const { desk, standings, book } = this.#options;
    desk.review(identityId, ({ tool, clientName }) => {
      const decision = standings.decide(identityId, tool);
      if (decision.effect === 'deny') return notAllowed(clientName, tool, decision);
      return decision.effect === 'ask' && book.isReady ? 'wait' : 'allow';
    });
  }
}

/** One session. It is anonymous until it has sent its client info, unless it came with a bearer token. */
class GrantedSession implements SessionGrants {
  readonly #options: SessionsAccessOptions;
  readonly #changes = new Emitter<void>();
  readonly #hasOwnToken: boolean;
  readonly #left: () => void;
  readonly onChange = this.#changes.event;
  identityId: string | undefined;
  /** Names from its client info, once sent. */
  #names: readonly string[] | undefined;
  /** Created on demand, and again after each change. */
  #part: GrantedPart | undefined;

  constructor(options: SessionsAccessOptions, identityId: string | undefined, left: () => void) {
    this.#options = options;
    this.identityId = identityId;
    this.#hasOwnToken = identityId !== undefined;
    this.#left = left;
  }

  get identity(): Identity | undefined {
    return this.identityId === undefined ? undefined : this.#options.book.tables.identity(this.identityId);
  }

  introduce(names: readonly string[]): void {
    this.#names = names;
    const { book, newClients } = this.#options;
    if (!this.#hasOwnToken) this.identityId = welcome(book, names, newClients());
    else if (this.identityId !== undefined) book.seen(this.identityId);
    this.#part = undefined;
  }

  select(catalogue: Catalogue): Catalogue {
    const part = this.#part ?? this.#makePart();
    return part === undefined ? nothing : part.select(catalogue);
  }

  mayUse(serverKey: string): boolean {
    const whole = this.#options.catalogue();
    if (hasServer(whole, serverKey)) return hasServer(this.select(whole), serverKey);
    const part = this.#part ?? this.#makePart();
    return part?.passesServer(serverKey) ?? false;
  }

  explain(): string {
    const reason = this.#options.standings.decide(this.identityId, { serverKey: '', name: '' }).reason;
    return nothingGranted(this.identity?.name ?? 'this client', reason);
  }

  /** Stand-in identities have other ids once the database has been read. */
  loaded(): void {
    if (this.#names !== undefined) this.introduce(this.#names);
    this.changed();
  }

  changed(): void {
    this.#part = undefined;
    // The identities could not be read when it connected.
    if (this.identityId === undefined && this.#names !== undefined) this.introduce(this.#names);
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
    this.#left();
  }

  #makePart(): GrantedPart | undefined {
    this.#part = this.identityId === undefined ? undefined : this.#options.standings.part(this.identityId);
    return this.#part;
  }
}

const mostEnded = 1_000;

/** The hub's own calls, and those of the person at the window. */
function isOurs(sessionId: string): boolean {
  return sessionId === noSession || isTesterSession(sessionId);
}

const nothing: Catalogue = { revision: 0, servers: [], off: [] };

const ours: Decision = {
  effect: 'allow',
  code: 'granted',
  reason: 'This is a call of Patchbay itself.',
  cached: true,
};
