import type { GrantInput, NewClients } from '../../../shared/model/access/access.ts';
import { identityName } from '../catalogue/open-clients.ts';
import type { AccessService } from './access-service.ts';

/**
 * Returns the identity of a local client. A client that connects for the first time is added with the default
 * grant for new clients, so that nobody is refused silently. Undefined while no identities can be read.
 */
export function identifyClient(
  service: AccessService,
  names: readonly string[],
  newClients: NewClients,
): string | undefined {
  if (!service.isReady) return service.standIn(names);
  const name = identityName(names);
  const known = service.tables.byName('client', name);
  if (known !== undefined) {
    service.markSeen(known.id);
    return known.id;
  }
  evictOldest(service);
  const effect = defaultEffects[newClients];
  // A client with full access would get the same grant again, so this need not be written now.
  return effect === 'allow'
    ? service.tables.deferSaving(() => addClient(service, name, effect))
    : addClient(service, name, effect);
}

function addClient(service: AccessService, name: string, effect: 'allow' | 'ask' | undefined): string {
  const { id } = service.create({ kind: 'client', name }, firstConnection);
  service.markSeen(id);
  if (effect !== undefined) service.grant(grantOfAll(id, effect, firstConnection));
  return id;
}

/**
 * Adds a client that somebody connected by hand, with full access unless something was decided about it
 * before.
 */
export function addConnectedClient(service: AccessService, givenName: string, by: string): void {
  const name = identityName([givenName]);
  const { id } = service.tables.byName('client', name) ?? service.create({ kind: 'client', name }, by);
  if (service.tables.grants(id).length === 0) service.grant(grantOfAll(id, 'allow', by));
}

function grantOfAll(identityId: string, effect: 'allow' | 'ask', grantedBy: string): GrantInput {
  return { identityId, effect, scope: { kind: 'all' }, grantedBy };
}

/** Keeps a client that changes its name at each connection from filling the disk. */
function evictOldest(service: AccessService): void {
  const clients = service.tables.identities().filter(({ kind }) => kind === 'client');
  if (clients.length < maxClients) return;
  const forgettable = clients.filter(({ id, hasToken, revokedAt }) => {
    const isOrdinary = service.tables.grants(id).every(({ grantedBy }) => grantedBy === firstConnection);
    return !hasToken && revokedAt === undefined && isOrdinary;
  });
  const [oldest] = forgettable.sort((one, other) => (one.lastSeenAt ?? 0) - (other.lastSeenAt ?? 0));
  if (oldest !== undefined) service.remove(oldest.id, 'the hub');
}

const firstConnection = 'first connection';

const defaultEffects = { everything: 'allow', ask: 'ask', nothing: undefined } as const;

const maxClients = 1_000;
