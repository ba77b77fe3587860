import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';
import { TransientMap } from '../engine/base/transient-map.ts';
import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  type JsonRpcId,
  RpcError,
} from '../engine/jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../engine/jsonrpc/raw-message.ts';
import type { WireMessage } from '../engine/jsonrpc/read-message.ts';
import { toErrorResponse, toResponse } from '../engine/jsonrpc/response.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';

type Stage =
  /** Being answered from the files on disk. */
  | { readonly kind: 'local' }
  /** Not sent: waits for the hub, for a limited time. */
  | { readonly kind: 'parked'; readonly timer: Disposable }
  /** Sent; `taken` settles once the connection has accepted or refused it. */
  | { readonly kind: 'sent'; readonly transport: Transport; readonly taken: Promise<void> };

/** A request of the client that has no answer yet. */
export interface PendingEntry {
  readonly request: RawRequest;
  stage: Stage;
}

/**
 * Tracks all requests of the client that have no answer yet; each gets exactly one answer and is then
 * removed.
 */
export class PendingRequests {
  readonly #entries = new TransientMap<JsonRpcId, PendingEntry>();
  readonly #answer: (message: WireMessage) => void;
  readonly #clock: Clock;

  constructor(answer: (message: WireMessage) => void, clock: Clock) {
    this.#answer = answer;
    this.#clock = clock;
  }

  /** Returns undefined if a request with this id is already in flight. */
  add(request: RawRequest): PendingEntry | undefined {
    if (this.#entries.has(request.id)) return undefined;
    const entry: PendingEntry = { request, stage: { kind: 'local' } };
    this.#entries.set(request.id, entry);
    return entry;
  }

  isOpen(entry: PendingEntry): boolean {
    return this.#entries.get(entry.request.id) === entry;
  }

  resolve(entry: PendingEntry, result: unknown): void {
    if (this.#remove(entry)) this.#answer(toResponse(entry.request, result));
  }

  reject(entry: PendingEntry, error: JsonRpcErrorObject): void {
    if (this.#remove(entry)) this.#answer(toErrorResponse(entry.request, new RpcError(error)));
  }

  park(entry: PendingEntry, milliseconds: number, giveUp: () => void): void {
    entry.stage = { kind: 'parked', timer: this.#clock.after(milliseconds, giveUp) };
  }

  send(entry: PendingEntry, transport: Transport): void {
    this.#stopTimer(entry);
    const taken = transport.send(entry.request);
    taken.catch(() => {});
    entry.stage = { kind: 'sent', transport, taken };
  }

  /** Passes on an answer of the hub; drops one for which no request waits on this connection. */
  answered(transport: Transport, message: RawMessage): PendingEntry | undefined {
    const { id } = message;
    const entry = id === null || id === undefined ? undefined : this.#entries.get(id);
    if (entry?.stage.kind !== 'sent' || entry.stage.transport !== transport) return undefined;
    this.#remove(entry);
    this.#answer(message);
    return entry;
  }

  /**
   * Forgets a cancelled request; returns whether the hub must be notified, since it may have received the
   * request.
   */
  cancel(id: JsonRpcId): boolean {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#remove(entry);
    if (entry?.stage.kind !== 'sent') return false;
    return !(entry.stage.transport.withdraw?.(entry.request) ?? false);
  }

  parked(): readonly PendingEntry[] {
    return this.#entries.values().filter(({ stage }) => stage.kind === 'parked');
  }

  sentOn(transport: Transport): readonly PendingEntry[] {
    return this.#entries
      .values()
      .filter(({ stage }) => stage.kind === 'sent' && stage.transport === transport);
  }

  clear(): void {
    for (const entry of this.#entries.values()) this.#stopTimer(entry);
    this.#entries.clear();
  }

  #remove(entry: PendingEntry): boolean {
    if (!this.isOpen(entry)) return false;
    this.#stopTimer(entry);
    return this.#entries.delete(entry.request.id);
  }

  #stopTimer({ stage }: PendingEntry): void {
    if (stage.kind === 'parked') stage.timer.dispose();
  }
}

/** Returns true if a request may have reached the hub. */
export async function mayHaveReachedHub({ stage }: PendingEntry): Promise<boolean> {
  if (stage.kind !== 'sent') return false;
  try {
    await stage.taken;
    return true;
  } catch (error) {
    return !(error instanceof ConnectionClosedError) || error.sent;
  }
}
