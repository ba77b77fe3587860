import type { GrantInput, NewClients } from '../../../../shared/model/access.ts';
import { identityName } from '../../catalogue/open-clients.ts';
import type { AccessBook } from './access-book.ts';

/**
 * Returns the identity of a local client. A client that connects for the first time is added with the default
 * grant for new clients, so that nobody is refused silently. Undefined while no identities can be read.
 */
export function welcome(
  book: AccessBook,
  names: readonly string[],
  newClients: NewClients,
): string | undefined {
  if (!book.isReady) return book.standIn(names);
  const name = identityName(names);
  const known = book.tables.byName('client', name);
  if (known !== undefined) {
    book.seen(known.id);
    return known.id;
  }
  makeRoom(book);
  const effect = firstEffects[newClients];
  // A client with full access would get the same grant again, so this need not be written now.
  return effect === 'allow' ? book.lightly(() => meet(book, name, effect)) : meet(book, name, effect);
}

function meet(book: AccessBook, name: string, effect: 'allow' | 'ask' | undefined): string {
  const { id } = book.create({ kind: 'client', name }, firstConnection);
  book.seen(id);
  if (effect !== undefined) book.grant(grantOfAll(id, effect, firstConnection));
  return id;
}

/**
 * Adds a client that somebody connected by hand, with full access unless something was decided about it
 * before.
 */
export function connectedByHand(book: AccessBook, told: string, by: string): void {
  const name = identityName([told]);
  const { id } = book.tables.byName('client', name) ?? book.create({ kind: 'client', name }, by);
  if (book.tables.grants(id).length === 0) book.grant(grantOfAll(id, 'allow', by));
}

function grantOfAll(identityId: string, effect: 'allow' | 'ask', grantedBy: string): GrantInput {
  return { identityId, effect, scope: { kind: 'all' }, grantedBy };
}

/** Keeps a client that changes its name at each connection from filling the disk. */
function makeRoom(book: AccessBook): void {
  const clients = book.tables.identities().filter(({ kind }) => kind === 'client');
  if (clients.length < mostClients) return;
  const forgettable = clients.filter(({ id, hasToken, revokedAt }) => {
    const isOrdinary = book.tables.grants(id).every(({ grantedBy }) => grantedBy === firstConnection);
    return !hasToken && revokedAt === undefined && isOrdinary;
  });
  const [oldest] = forgettable.sort((one, other) => (one.lastSeenAt ?? 0) - (other.lastSeenAt ?? 0));
  if (oldest !== undefined) book.remove(oldest.id, 'the hub');
}

const firstConnection = 'first connection';

const firstEffects = { everything: 'allow', ask: 'ask', nothing: undefined } as const;

const mostClients = 1_000;
