import { TransientMap } from '../../../base/transient-map.ts';
import { toOwnId } from '../../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';

interface Reported {
  /** The last value that was passed on. */
  last: number | undefined;
  /** Values up to this one are dropped; set by the rounds before. */
  floor: number | undefined;
}

/**
 * Progress of calls of clients with sessions. Such a client sees one call, whose progress must increase, where the
 * server sees several, each of which may count anew. Values stay as they are; those that would go back are dropped.
 */
export class RoundProgress {
  readonly #calls = new TransientMap<number, Reported>();

  begin(request: RawMessage): void {
    const token = tokenOf(request);
    if (token !== undefined) this.#calls.set(token, { last: undefined, floor: undefined });
  }

  nextRound(request: RawMessage): void {
    const reported = this.#reported(tokenOf(request));
    if (reported !== undefined) reported.floor = reported.last;
  }

  end(request: RawMessage): void {
    const token = tokenOf(request);
    if (token !== undefined) this.#calls.delete(token);
  }

  /** Tells whether a notification may be passed on. */
  passes(notification: RawMessage): boolean {
    const reported = this.#reported(toOwnId(notification.param('progressToken')));
    const progress = notification.params?.progress;
    if (reported === undefined || typeof progress !== 'number') return true;
    const { floor } = reported;
    if (floor !== undefined && progress <= floor) return false;
    reported.last = progress;
    return true;
  }

  #reported(token: number | undefined): Reported | undefined {
    return token === undefined ? undefined : this.#calls.get(token);
  }
}

/** The token of the hub, which numbers them. */
function tokenOf(request: RawMessage): number | undefined {
  return toOwnId(request.param('metaToken'));
}
