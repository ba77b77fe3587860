import { timingSafeEqual } from 'node:crypto';
import type { AccessView, ApprovalRequest, NewClients } from '../../../../shared/model/access.ts';
import type { Clock } from '../../base/clock.ts';
import { createCoalescer } from '../../base/coalescer.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Catalogue, RawItem } from '../../catalogue/contract.ts';
import type { AccessEngine, AccessEvent } from './contract.ts';
import { connectedByHand } from './first-connection.ts';
import type { HubAccess } from './open-access.ts';
import { hashOf } from './own-token.ts';
import { ToolItems } from './tool-items.ts';

interface AccessHub {
  readonly access: HubAccess;
  readonly catalogue: { readonly current: Catalogue };
}

export interface AccessEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => AccessHub;
  readonly running: () => AccessHub | undefined;
  readonly onOpen: Event<AccessHub>;
  readonly newClients: NewClients;
  readonly askDestructive: boolean;
  readonly clock: Clock;
}

/** Creates the access part of the engine. */
export function createAccessEngine(options: AccessEngineOptions): AccessEngine {
  const { open, running, onOpen, clock } = options;
  const changes = new Emitter<AccessView>();
  const approvals = new Emitter<readonly ApprovalRequest[]>();
  const events = new Emitter<AccessEvent>();
  const items = new ToolItems();
  let { newClients, askDestructive } = options;

  const view = (): AccessView => {
    const tables = running()?.access.book.tables;
    if (tables === undefined) return { identities: [], grants: [], tokens: [], newClients, askDestructive };
    return {
      identities: tables.identities(),
      grants: tables.grants(),
      tokens: tables.tokens(),
      newClients,
      askDestructive,
    };
  };
  const changed = createCoalescer(clock, 50, () => changes.fire(view()));
  onOpen(({ access }) => {
    access.newClients = newClients;
    access.book.tables.askDestructive = askDestructive;
    access.book.onChange(changed.mark);
    access.book.onLoaded(changed.mark);
    access.book.onEvent((event) => events.fire(event));
    access.desk.onChange((waiting) => approvals.fire(waiting));
    changed.mark();
  });

  /** Applies a change at once; resolves when it is on disk. */
  async function change<T>(make: (access: HubAccess) => T): Promise<T> {
    const { access } = open();
    const made = make(access);
    await access.book.saved();
    return made;
  }

  return {
    access: {
      view,
      identities: () => running()?.access.book.tables.identities() ?? [],
      byName: (kind, name) => running()?.access.book.tables.byName(kind, name),
      create: (identity, by = unsaid) => change(({ book }) => book.create(identity, by)),
      rotate: (id, by = unsaid) => change(({ book }) => book.rotate(id, by)),
      revoke: (id, by = unsaid) => change(({ book }) => book.revoke(id, by)),
      restore: (id, by = unsaid) => change(({ book }) => book.restore(id, by)),
      remove: (id, by = unsaid) => change(({ book }) => book.remove(id, by)),
      grants: (identityId) => running()?.access.book.tables.grants(identityId) ?? [],
      grant: (input) => change(({ book }) => book.grant(input)),
      revokeGrant: (grantId, by = unsaid) => change(({ book }) => book.revokeGrant(grantId, by)),
      tokens: (identityId) => running()?.access.book.tables.tokens(identityId) ?? [],
      issueToken: (identityId, serverKey, tool, ttlMs, by = unsaid) =>
        change(({ book }) => {
          const { tokenId, expiresAt } = book.issueToken(identityId, serverKey, tool, ttlMs, by);
          return { tokenId, expiresAt };
        }),
      revokeToken: (tokenId, by = unsaid) => change(({ book }) => book.revokeToken(tokenId, by)),
      authorize: (identityId, serverKey, tool) => {
        const { access, catalogue } = open();
        const item: RawItem | undefined = items.find(catalogue.current, serverKey, tool);
        return access.standings.decide(identityId, { serverKey, name: tool, item });
      },
      identify: (bearer) => {
        const access = running()?.access;
        if (access === undefined) return undefined;
        return isSame(bearer, access.adminToken) ? 'admin' : access.book.identify(bearer);
      },
      approvals: () => running()?.access.desk.list() ?? [],
      answer: (approvalId, answer, by = unsaid) => change(({ desk }) => desk.answer(approvalId, answer, by)),
      beginAnew: async (by = unsaid) => {
        const { book } = open().access;
        await book.beginAnew(by);
        await book.saved();
      },
      setNewClients: (next) => {
        newClients = next;
        const access = running()?.access;
        if (access !== undefined) access.newClients = next;
        changed.mark();
      },
      setAskDestructive: (next) => {
        askDestructive = next;
        const access = running()?.access;
        if (access !== undefined) access.book.tables.askDestructive = next;
        changed.mark();
      },
      clientConnected: (name) => change(({ book }) => connectedByHand(book, name, 'connected in the window')),
      onChange: changes.event,
      onApprovals: approvals.event,
      onEvent: events.event,
    },
  };
}

/** Compares texts of any length in constant time. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(one), 'hex'), Buffer.from(hashOf(other), 'hex'));
}

const unsaid = 'somebody';
