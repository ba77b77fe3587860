import { ConnectionClosedError } from '../jsonrpc/message.ts';
import type { WireMessage } from '../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../jsonrpc/transport.ts';

/**
 * Creates two linked transports in one process. Messages arrive in order, after the sender's turn of the
 * event loop, and are passed by reference: both sides treat them as immutable. Messages sent before `close`
 * still arrive before the other end's `closed`.
 */
export function createMemoryTransportPair(): readonly [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.link(right);
  right.link(left);
  return [left, right];
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'open'; readonly handlers: TransportHandlers }
  | { readonly kind: 'closed' };

const END = Symbol('end');

class MemoryTransport implements Transport {
  #state: State = { kind: 'idle' };
  #other: MemoryTransport | undefined;
  #inbox: (WireMessage | typeof END)[] = [];

  link(other: MemoryTransport): void {
    this.#other = other;
  }

  async start(handlers: TransportHandlers): Promise<void> {
    if (this.#state.kind !== 'idle')
      throw new ConnectionClosedError('The transport has already been started', false);
    this.#state = { kind: 'open', handlers };
    if (this.#inbox.length > 0) queueMicrotask(() => this.#deliver());
  }

  async send(message: WireMessage): Promise<void> {
    const taken = this.#state.kind === 'open' && this.#other?.receive(message);
    if (!taken) throw new ConnectionClosedError('The connection is closed', false);
  }

  async close(): Promise<void> {
    if (this.#state.kind === 'closed') return;
    this.#end();
    this.#other?.receive(END);
  }

  /** Returns whether the item was accepted. */
  receive(item: WireMessage | typeof END): boolean {
    if (this.#state.kind === 'closed') return false;
    this.#inbox.push(item);
    if (this.#inbox.length === 1 && this.#state.kind === 'open') queueMicrotask(() => this.#deliver());
    return true;
  }

  #deliver(): void {
    const items = this.#inbox;
    this.#inbox = [];
    for (const item of items) {
      if (item === END) this.#end();
      if (item === END || this.#state.kind !== 'open') return;
      this.#state.handlers.message(item);
    }
  }

  #end(): void {
    const before = this.#state;
    this.#state = { kind: 'closed' };
    this.#inbox = [];
    if (before.kind === 'open') before.handlers.closed();
  }
}
