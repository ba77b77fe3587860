import type { ToolAddress } from '../contract.ts';
import { Circuits, type CircuitsOptions } from './circuits.ts';
import { CallGate } from './gate.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { defaultRetry, type RetryRules } from './retry.ts';
import { Slots } from './slots.ts';

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
