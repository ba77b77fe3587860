import type { CallSignal, ToolAddress } from '../contract.ts';
import { circuitOpen } from '../error-map.ts';
import type { Circuit, Verdict } from './circuit.ts';
import type { Circuits } from './circuits.ts';
import type { ServerSlots } from './slots.ts';

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
  async enter(sessionId: string, signal: CallSignal): Promise<void> {
    // An open circuit refuses at once, without waiting for a slot.
    this.#checkCircuit();
    await this.#slots?.enter(sessionId, signal);
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
