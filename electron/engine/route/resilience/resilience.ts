import type { ToolAddress } from '../contract.ts';
import { Circuits, type CircuitsOptions } from './circuits.ts';
import { Gate } from './gate.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { documentedRetry, type RetryRules } from './retry.ts';
import { Slots } from './slots.ts';

export interface ResilienceOptions extends CircuitsOptions {
  /** The document's by default. */
  readonly retry?: RetryRules;
}

/** What a hub does about calls that fail (REQ-MCP-CALL-002..005); a router without it sends each call as it comes. */
export class Resilience {
  readonly retry: RetryRules;
  readonly circuits: Circuits;
  readonly keys: IdempotencyKeys;
  readonly #slots = new Slots();

  constructor(options: ResilienceOptions) {
    this.retry = options.retry ?? documentedRetry;
    this.circuits = new Circuits(options);
    this.keys = new IdempotencyKeys(options.clock);
  }

  /** What a call of this tool has to pass; undefined where nothing stands in its way, as is usual. */
  gateTo(tool: ToolAddress, concurrency: number | undefined): Gate | undefined {
    const { circuits } = this;
    if (concurrency !== undefined)
      return new Gate(tool, circuits, this.#slots.of(tool.serverKey, concurrency));
    return circuits.find(tool.serverKey, tool.name) && new Gate(tool, circuits, undefined);
  }
}
