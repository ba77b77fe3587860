import type { ToolAddress } from '../contract.ts';
import { circuitOpen } from '../error-map.ts';
import type { Circuit, Verdict } from './circuit.ts';
import { Circuits, type CircuitsOptions } from './circuits.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { defaultRetry, type RetryRules } from './retry.ts';
import { type QueueingCall, type ServerSlots, Slots } from './slots.ts';

export interface ResilienceOptions extends CircuitsOptions {
  /** Defaults to the documented rules. */
  readonly retry?: RetryRules;
}

/**
 * Retries, circuit breakers, concurrency limits and idempotency keys (REQ-MCP-CALL-002..005). A router
 * without it sends each call directly.
 */
export class Resilience {
  readonly retry: RetryRules;
  readonly circuits: Circuits;
  readonly keys: IdempotencyKeys;
  readonly #slots = new Slots();

  constructor(options: ResilienceOptions) {
    this.retry = options.retry ?? defaultRetry;
    this.circuits = new Circuits(options);
    this.keys = new IdempotencyKeys(options.clock);
  }

  /** Returns what a call of this tool has to pass; undefined in the usual case that nothing restricts it. */
  gateFor(tool: ToolAddress, concurrency: number | undefined): CallGate | undefined {
    const { circuits } = this;
    if (concurrency !== undefined)
      return new CallGate(tool, circuits, this.#slots.forServer(tool.serverKey, concurrency));
    return circuits.find(tool.serverKey, tool.name) && new CallGate(tool, circuits, undefined);
  }
}

/** Controls one call's access to its tool: a circuit with failures, a queue, or both. */
export class CallGate {
  readonly #tool: ToolAddress;
  readonly #circuits: Circuits;
  readonly #slots: ServerSlots | undefined;
  #circuit: Circuit | undefined;
  #round: number | undefined;
  #hasSlot = false;

  constructor(tool: ToolAddress, circuits: Circuits, slots: ServerSlots | undefined) {
    this.#tool = tool;
    this.#circuits = circuits;
    this.#slots = slots;
  }

  /** Resolves when it is the call's turn. Rejects with RpcError if the call cannot be made. */
  async enter(call: QueueingCall): Promise<void> {
    // An open circuit refuses at once, without waiting for a slot.
    this.#checkCircuit();
    await this.#slots?.enter(call);
    this.#hasSlot = this.#slots !== undefined;
    this.#circuit = this.#checkCircuit();
    this.#round = this.#circuit?.enter(this.#circuits.now());
  }

  /** Called when the call has ended, at whatever stage. */
  leave(verdict: Verdict): void {
    if (this.#hasSlot) this.#slots?.leave();
    this.#circuits.record(this.#tool, verdict, this.#circuit, this.#round);
  }

  #checkCircuit(): Circuit | undefined {
    const circuit = this.#circuits.find(this.#tool.serverKey, this.#tool.name);
    const now = this.#circuits.now();
    const until = circuit?.admitsAt(now) ?? now;
    if (circuit !== undefined && until > now)
      throw circuitOpen(this.#tool, circuit.status.failures, until, now);
    return circuit;
  }
}
