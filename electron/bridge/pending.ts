import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';
import type { JsonRpcErrorObject, JsonRpcId, JsonRpcMessage, JsonRpcRequest } from '../engine/rpc/message.ts';
import { ConnectionClosedError } from '../engine/rpc/message.ts';
import type { Transport } from '../engine/rpc/transport.ts';

type Stage =
  /** Being answered from what is on disk. */
  | { readonly kind: 'local' }
  /** Not sent: waits for the hub, but not for ever. */
  | { readonly kind: 'parked'; readonly patience: Disposable }
  /** On its way; `left` tells, once the connection has taken or refused it, whether it can have reached the hub. */
  | { readonly kind: 'sent'; readonly transport: Transport; readonly left: Promise<boolean> };

/** A request of the client that has no answer yet. */
export interface PendingEntry {
  readonly request: JsonRpcRequest;
  stage: Stage;
}

/** Every request the client waits for; each leaves the table with its one answer, and nothing answers it after that. */
export class PendingRequests {
  readonly #entries = new Map<JsonRpcId, PendingEntry>();
  readonly #answer: (message: JsonRpcMessage) => void;
  readonly #clock: Clock;

  constructor(answer: (message: JsonRpcMessage) => void, clock: Clock) {
    this.#answer = answer;
    this.#clock = clock;
  }

  /** Undefined when a request of this id is already under way. */
  add(request: JsonRpcRequest): PendingEntry | undefined {
    if (this.#entries.has(request.id)) return undefined;
    const entry: PendingEntry = { request, stage: { kind: 'local' } };
    this.#entries.set(request.id, entry);
    return entry;
  }

  isOpen(entry: PendingEntry): boolean {
    return this.#entries.get(entry.request.id) === entry;
  }

  resolve(entry: PendingEntry, result: unknown): void {
    if (this.#remove(entry)) this.#answer({ jsonrpc: '2.0', id: entry.request.id, result });
  }

  reject(entry: PendingEntry, error: JsonRpcErrorObject): void {
    if (this.#remove(entry)) this.#answer({ jsonrpc: '2.0', id: entry.request.id, error });
  }

  park(entry: PendingEntry, milliseconds: number, giveUp: () => void): void {
    entry.stage = { kind: 'parked', patience: this.#clock.after(milliseconds, giveUp) };
  }

  send(entry: PendingEntry, transport: Transport): void {
    this.#calm(entry);
    const left = transport.send(entry.request).then(
      () => true,
      (error: unknown) => !(error instanceof ConnectionClosedError) || error.sent,
    );
    entry.stage = { kind: 'sent', transport, left };
  }

  /** Hands on an answer of the hub; one to nothing that waits on this very connection is dropped. */
  answered(
    transport: Transport,
    message: JsonRpcMessage & { readonly id: JsonRpcId },
  ): PendingEntry | undefined {
    const entry = this.#entries.get(message.id);
    if (entry?.stage.kind !== 'sent' || entry.stage.transport !== transport) return undefined;
    this.#remove(entry);
    this.#answer(message);
    return entry;
  }

  /** Forgets a cancelled request; resolves to where it had got. */
  cancel(id: JsonRpcId): Stage['kind'] | undefined {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#remove(entry);
    return entry?.stage.kind;
  }

  parked(): readonly PendingEntry[] {
    return [...this.#entries.values()].filter(({ stage }) => stage.kind === 'parked');
  }

  sentOver(transport: Transport): readonly PendingEntry[] {
    return [...this.#entries.values()].filter(
      ({ stage }) => stage.kind === 'sent' && stage.transport === transport,
    );
  }

  clear(): void {
    for (const entry of this.#entries.values()) this.#calm(entry);
    this.#entries.clear();
  }

  #remove(entry: PendingEntry): boolean {
    if (!this.isOpen(entry)) return false;
    this.#calm(entry);
    return this.#entries.delete(entry.request.id);
  }

  #calm({ stage }: PendingEntry): void {
    if (stage.kind === 'parked') stage.patience.dispose();
  }
}
