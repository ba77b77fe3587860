import type { Logger } from '../base/logger.ts';
import type { CatalogueView, ListKind } from '../catalogue/contract.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { RawMessage } from '../rpc/raw-message.ts';

export interface ClientNoticesOptions {
  readonly sessionId: string;
  readonly peer: () => Peer;
  readonly log: Logger;
}

/** Sends notifications to a client; logs those that cannot be delivered. */
export class ClientNotices {
  readonly #options: ClientNoticesOptions;

  constructor(options: ClientNoticesOptions) {
    this.#options = options;
  }

  /** Forwards a server's notification, with the resource URI that this client uses. */
  tell(
    view: CatalogueView | undefined,
    serverKey: string,
    notice: RawMessage,
    relatedTo: JsonRpcId | undefined,
  ): void {
    const uri = notice.method === 'notifications/resources/updated' ? notice.param('uri') : undefined;
    const told = typeof uri === 'string' ? view?.wireUri(serverKey, uri) : undefined;
    this.relay(
      told === undefined ? notice : notice.with({ params: { uri: JSON.stringify(told) } }),
      relatedTo,
    );
  }

  /**
   * Forwards a notification unchanged. `relatedTo` is the request on whose stream it is sent, if the
   * transport has separate streams.
   */
  relay(notice: RawMessage, relatedTo?: JsonRpcId): void {
    this.#options
      .peer()
      .relay(notice, relatedTo)
      .catch((error: unknown) => this.#undelivered(notice.method, error));
  }

  listsChanged(kinds: ReadonlySet<ListKind>): void {
    for (const kind of kinds) {
      const method = `notifications/${kind}/list_changed`;
      this.#options
        .peer()
        .notify(method)
        .catch((error: unknown) => this.#undelivered(method, error));
    }
  }

  #undelivered(method: string | undefined, error: unknown): void {
    const { log, sessionId } = this.#options;
    log.log('debug', 'A notification did not reach its client', {
      session: sessionId,
      method,
      error: String(error),
    });
  }
}
