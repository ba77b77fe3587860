import type { Logger } from '../../base/logger.ts';
import type { ListKind } from '../../catalogue/contract.ts';
import { strictMessage } from '../../catalogue/strict/strict-message.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import type { Peer } from '../../jsonrpc/peer-contract.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { SessionCatalogue } from './catalogue/session-catalogue.ts';
import type { ClientHandshake } from './client-handshake.ts';

export interface SessionNotificationsOptions {
  readonly sessionId: string;
  readonly peer: Pick<Peer, 'notify' | 'forwardNotification'>;
  readonly handshake: ClientHandshake;
  readonly catalogue: SessionCatalogue;
  readonly log: Logger;
}

/** Sends a client the notifications of servers, and tells it when its lists are outdated. */
export class SessionNotifications {
  readonly #options: SessionNotificationsOptions;

  constructor(options: SessionNotificationsOptions) {
    this.#options = options;
  }

  /**
   * Forwards a notification unchanged, except for strict clients. `relatedTo` is the request on whose stream it is sent, if the
   * transport has separate streams.
   */
  forward(notification: RawMessage, relatedTo?: JsonRpcId): void {
    const { peer, handshake } = this.#options;
    const isStrict = handshake.identified?.profile.isStrict === true;
    peer
      .forwardNotification(isStrict ? strictMessage(notification) : notification, relatedTo)
      .catch((error: unknown) => this.#logUndelivered(notification.method, error));
  }

  /** Forwards a server's notification, with the resource URI that this client uses. */
  forwardFrom(serverKey: string, notification: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const { handshake, catalogue } = this.#options;
    // Messages of starting servers are not meant for a client that has not initialized yet.
    if (handshake.identified === undefined || !catalogue.includes(serverKey)) return;
    const uri =
      notification.method === 'notifications/resources/updated' ? notification.param('uri') : undefined;
    const clientUri = typeof uri === 'string' ? catalogue.view?.wireUri(serverKey, uri) : undefined;
    this.forward(
      clientUri === undefined
        ? notification
        : notification.with({ params: { uri: JSON.stringify(clientUri) } }),
      relatedTo,
    );
  }

  /** Called when the listings of servers or the client's access to them changed. */
  onCatalogueChanged(kinds: ReadonlySet<ListKind>): void {
    const { catalogue } = this.#options;
    catalogue.compact.update();
    this.#notify(catalogue.lists.toAnnounce(kinds, catalogue.view));
  }

  /**
   * Handles changed profiles; a changed selection is reported by the catalogue. Returns false if nothing
   * changed for this client.
   */
  onProfilesChanged(): boolean {
    if (!this.#options.catalogue.compact.update()) return false;
    this.notifyOutdated();
    return true;
  }

  /** Called when the bridge reports the lists that the client has. */
  onClientLists(params: unknown): void {
    const { lists, view } = this.#options.catalogue;
    if (lists.onClientLists(params, view)) this.notifyOutdated();
  }

  /** Notifies the client of its outdated lists. */
  notifyOutdated(): void {
    this.#notify(this.#outdated());
  }

  /** Notifies the client again, of its tools in any case. */
  notifyAgain(): void {
    const outdated = this.#outdated();
    this.#notify(outdated.size > 0 ? outdated : new Set(['tools']));
  }

  #outdated(): ReadonlySet<ListKind> {
    const { lists, view } = this.#options.catalogue;
    return lists.outdated(view);
  }

  #notify(kinds: ReadonlySet<ListKind>): void {
    if (!this.#options.handshake.isInitialized) return;
    for (const kind of kinds) {
      const method = `notifications/${kind}/list_changed`;
      this.#options.peer.notify(method).catch((error: unknown) => this.#logUndelivered(method, error));
    }
  }

  #logUndelivered(method: string | undefined, error: unknown): void {
    const { log, sessionId } = this.#options;
    log.log('debug', 'A notification did not reach its client', {
      session: sessionId,
      method,
      error: String(error),
    });
  }
}
