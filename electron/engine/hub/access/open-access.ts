import { timingSafeEqual } from 'node:crypto';
import type {
  AccessView,
  ApprovalAnswer,
  Decision,
  Identity,
  NewClients,
} from '../../../../shared/model/access.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { CloseStack } from '../../base/close-stack.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import { readOpenClients } from '../../catalogue/open-clients.ts';
import type { SessionRegistry } from '../../gateway/session-registry.ts';
import type { RawRequest } from '../../rpc/raw-message.ts';
import type { DataPaths } from '../../store/data-dir.ts';
import type { AccessStore } from '../../store/state/access-store.ts';
import { loadOrCreateToken } from '../../store/token.ts';
import type { Limits } from '../limits/limits.ts';
import type { PersonTime } from '../person-time.ts';
import { AccessBook } from './access-book.ts';
import { AccessServers } from './access-servers.ts';
import { ApprovalDesk, type ApprovalEnd, type AskedCall } from './approval-desk.ts';
import { CallCutter, type CallsUnderWay } from './cut-calls.ts';
import { OpenClientsFile } from './open-clients-file.ts';
import { hashOf } from './own-token.ts';
import { accessCut } from './refusals.ts';
import { SessionsAccess } from './session-access.ts';
import { Standings } from './standings.ts';
import { ToolItems } from './tool-items.ts';

export interface AccessGroundOptions {
  readonly paths: Pick<DataPaths, 'adminToken' | 'openClients'>;
  readonly store: AccessStore;
  readonly limits: Pick<Limits, 'current'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly opened: CloseStack;
}

/** The stored access data. */
export interface AccessGround {
  readonly book: AccessBook;
  readonly servers: AccessServers;
  /** Gives full access to administration; belongs to no identity. */
  readonly adminToken: string;
}

/**
 * Reads the stored data. A slow database delays the start only briefly, but nothing is allowed until it has
 * been read.
 */
export async function openAccessGround(options: AccessGroundOptions): Promise<AccessGround> {
  const { paths, store, limits, clock, log, opened } = options;
  const adminToken = await loadOrCreateToken(paths.adminToken, ({ sentence, fix }) =>
    log.log('warn', `${sentence} ${fix}`),
  );
  const tokenTtl = () => limits.current.tokenTtlMinutes * minute;
  const book = new AccessBook({
    store,
    clock,
    tokenTtl,
    lastResort: () => readOpenClients(paths.openClients),
  });
  opened.defer(() => {
    book.settle();
    book.dispose();
  });
  const waiting = new AbortController();
  await Promise.race([book.load(), delay(clock, loadPatience, waiting.signal)]);
  waiting.abort();
  return { book, servers: new AccessServers(book), adminToken };
}

export interface HubAccessOptions {
  readonly persons: PersonTime;
  readonly ground: AccessGround;
  readonly limits: Pick<Limits, 'current'>;
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
  readonly book: AccessBook;
  readonly adminToken: string;
  readonly standings: Standings;
  readonly desk: ApprovalDesk;
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
    const { ground, limits, persons, newClients, catalogue, show, file, clock, log, opened } = options;
    const { book, adminToken } = ground;
    this.book = book;
    this.adminToken = adminToken;
    this.#newClients = newClients;
    book.tables.askDestructive = options.askDestructive;
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#openClients = new OpenClientsFile({ file, book, newClients: () => this.newClients, clock, log });
    opened.defer(() => this.#openClients.close());
    this.standings = new Standings({ book, clock, cacheTtl: () => limits.current.authCacheTtl * minute });
    this.desk = new ApprovalDesk({
      clock,
      onAsked: (call) => tellAsked(book, call),
      onEnd: (call, end) => takeNote(book, call, end),
    });
    opened.defer(() => this.desk.dispose());
    const { standings, desk } = this;
    this.sessions = new SessionsAccess({
      book,
      standings,
      desk,
      persons,
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
    if (next !== 'everything') this.book.settle();
    this.#newClients = next;
    this.#openClients.mark();
    this.#settings.fire();
  }

  /** Asks about destructive tools from the next call on, where no rule more specific than a grant of everything decides. */
  askDestructive(isOn: boolean): void {
    this.book.tables.askDestructive = isOn;
    this.#settings.fire();
  }

  view(): AccessView {
    const { tables } = this.book;
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
    return this.standings.decide(identityId, { serverKey, name: tool, item });
  }

  /** Finds whose bearer token it is, in constant time; revoked and expired ones are nobody's. */
  identify(bearer: string): 'admin' | Identity | undefined {
    return isSame(bearer, this.adminToken) ? 'admin' : this.book.identify(bearer);
  }

  /** Closes the sessions of identities that lose access, and cancels calls whose grant is taken back. */
  cutIn({ cut }: Pick<SessionRegistry, 'cut'>, calls: CallsUnderWay): void {
    const { book, standings, sessions } = this;
    const cutter = new CallCutter({
      calls,
      holderOf: (sessionId) => sessions.holderOf(sessionId),
      rulesOf: (identityId) => book.tables.rulesOf(identityId),
      standings,
      catalogue: this.#catalogue,
      now: () => this.#clock.now(),
    });
    book.onEnded((identity) => {
      void cut(identity.id, accessCut(identity.name));
      cutter.ended(identity);
    });
    book.onWithdrawn((withdrawal) => cutter.withdrawn(withdrawal));
  }
}

/** Compares texts of any length in constant time. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(one), 'hex'), Buffer.from(hashOf(other), 'hex'));
}

function tellAsked(book: AccessBook, { identityId, clientName, tool }: AskedCall): void {
  const { serverKey, name } = tool;
  const text = `${clientName} is waiting for approval to call ${serverKey}:${name}.`;
  book.tell(identityId, { kind: 'approval.asked', by: clientName, text, serverKey, tool: name });
}

/** Records the answer, and grants what was allowed for longer than once. */
function takeNote(book: AccessBook, { identityId, clientName, tool }: AskedCall, end: ApprovalEnd): void {
  const { serverKey, name } = tool;
  const what = `the call of ${serverKey}:${name} by ${clientName}`;
  if (end.kind !== 'answered') {
    const text =
      end.kind === 'withdrawn'
        ? `Approval is no longer needed for ${what}.`
        : `Nobody approved ${what} in time.`;
    book.tell(identityId, { kind: `approval.${end.kind}`, by: 'the hub', text, serverKey, tool: name });
    return;
  }
  const { answer, by } = end;
  const text = `${by} answered ${what}: ${answerTexts[answer]}.`;
  book.tell(identityId, { kind: 'approval.answered', by, text, serverKey, tool: name, answer });
  if (answer === 'for-15-minutes') book.issueToken(identityId, serverKey, name, 15 * minute, by);
  if (answer !== 'always') return;
  book.grant({ identityId, effect: 'allow', scope: { kind: 'tool', serverKey, tool: name }, grantedBy: by });
}

const answerTexts: Readonly<Record<ApprovalAnswer, string>> = {
  once: 'allowed once',
  'for-15-minutes': 'allowed for 15 minutes',
  always: 'always allowed',
  deny: 'denied',
};

const minute = 60_000;

/** Milliseconds. */
const loadPatience = 5_000;
