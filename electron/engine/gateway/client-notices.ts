import type { Logger } from '../base/logger.ts';
import type { CatalogueView, ListKind } from '../catalogue/contract.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { RawMessage } from '../rpc/raw-message.ts';

export interface ClientNotificationsOptions {
  readonly sessionId: string;
  readonly peer: () => Peer;
  readonly log: Logger;
}

/** Sends notifications to a client; logs those that cannot be delivered. */
export class ClientNotifications {
  readonly #options: ClientNotificationsOptions;

  constructor(options: ClientNotificationsOptions) {
    this.#options = options;
  }

  /** Forwards a server's notification, with the resource URI that this client uses. */
  forwardFrom(
    view: CatalogueView | undefined,
    serverKey: string,
    notification: RawMessage,
    relatedTo: JsonRpcId | undefined,
  ): void {
    const uri =
      notification.method === 'notifications/resources/updated' ? notification.param('uri') : undefined;
    const clientUri = typeof uri === 'string' ? view?.wireUri(serverKey, uri) : undefined;
    this.forward(
      clientUri === undefined
        ? notification
        : notification.with({ params: { uri: JSON.stringify(clientUri) } }),
      relatedTo,
    );
  }

  /**
   * Forwards a notification unchanged. `relatedTo` is the request on whose stream it is sent, if the
   * transport has separate streams.
   */
  forward(notification: RawMessage, relatedTo?: JsonRpcId): void {
    this.#options
      .peer()
      .forwardNotification(notification, relatedTo)
      .catch((error: unknown) => this.#logUndelivered(notification.method, error));
  }

  listsChanged(kinds: ReadonlySet<ListKind>): void {
    for (const kind of kinds) {
      const method = `notifications/${kind}/list_changed`;
      this.#options
        .peer()
        .notify(method)
        .catch((error: unknown) => this.#logUndelivered(method, error));
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
