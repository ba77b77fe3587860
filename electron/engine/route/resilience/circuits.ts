import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { BreakerSnapshot, BreakerStore, ToolAddress } from '../contract.ts';
import { Circuit, type CircuitRules, type Verdict } from './circuit.ts';

export interface CircuitsOptions {
  readonly clock: Clock;
  /** Stores circuits across restarts; not stored by default. */
  readonly store?: BreakerStore;
  /** Receives storage errors. */
  readonly onStoreError?: (error: unknown) => void;
  /** Defaults to the documented rules. */
  readonly rules?: CircuitRules;
}

/** A tool whose circuit is not closed: calls are refused until `until`, then allowed as trials. */
export interface OpenCircuit {
  readonly tool: string;
  readonly until: number;
}

/**
 * The circuit breakers of all tools (REQ-MCP-CALL-005). Only tools that have failed and not succeeded since
 * have one; for all others a call costs one lookup in a map that is nearly always empty.
 */
export class Circuits {
  readonly #options: CircuitsOptions;
  readonly #rules: CircuitRules;
  readonly #servers = new Map<string, Map<string, Circuit>>();
  readonly #changed = new Emitter<string>();

  constructor(options: CircuitsOptions) {
    this.#options = options;
    this.#rules = options.rules ?? documentedCircuit;
  }

  /** Fires with the server key when one of its circuits opens, closes or becomes half-open. */
  get onChange(): Event<string> {
    return this.#changed.event;
  }

  /** Loads the stored circuits; newer information takes precedence. */
  async restore(): Promise<void> {
    try {
      for (const stored of (await this.#options.store?.load()) ?? []) this.#restore(stored);
    } catch (error) {
      this.#options.onStoreError?.(error);
    }
  }

  now(): number {
    return this.#options.clock.now();
  }

  /** Returns the circuit of a tool; undefined if it has no failures. */
  find(serverKey: string, name: string): Circuit | undefined {
    return this.#servers.get(serverKey)?.get(name);
  }

  /** Records the end of a call. `circuit` and `round` are those it started with, if any. */
  record(tool: ToolAddress, verdict: Verdict, circuit?: Circuit, round?: number): void {
    const known = this.find(tool.serverKey, tool.name);
    // The circuit the call started with has been reset since.
    if (circuit !== undefined && known !== circuit) return;
    const circuitOrNew = known ?? (verdict === 'failure' ? this.#create(tool) : undefined);
    if (circuitOrNew === undefined) return;
    const before = circuitOrNew.status;
    circuitOrNew.leave(round, verdict, this.now());
    const { status } = circuitOrNew;
    if (circuitOrNew.isHealthy) this.#forget(tool);
    if (status.state !== before.state || status.until !== before.until) this.#report(tool, status);
  }

  /** Returns the open circuits of a server, for display. */
  open(serverKey: string): readonly OpenCircuit[] {
    const circuits = [...(this.#servers.get(serverKey) ?? [])];
    return circuits.flatMap(([tool, { status }]) =>
      status.until === undefined ? [] : [{ tool, until: status.until }],
    );
  }

  /** Returns all circuits, including closed ones with failures. */
  all(): readonly BreakerSnapshot[] {
    return [...this.#servers].flatMap(([serverKey, circuits]) =>
      [...circuits].map(([name, { status }]) => ({ serverKey, name, ...status })),
    );
  }

  /** Resets the circuits of a server or of one tool: the user restarted it, removed it, or asked for it. */
  reset(serverKey: string, tool?: string): void {
    const circuits = [...(this.#servers.get(serverKey) ?? [])];
    for (const [name, circuit] of tool === undefined
      ? circuits
      : circuits.filter(([name]) => name === tool)) {
      this.#forget({ serverKey, name });
      if (!circuit.isClosed) this.#report({ serverKey, name }, closedStatus);
    }
  }

  #restore(stored: BreakerSnapshot): void {
    if (this.find(stored.serverKey, stored.name) !== undefined || stored.until === undefined) return;
    // If the clock was set back, a tool must not stay blocked longer than the cooldown.
    const until = Math.min(stored.until, this.now() + this.#rules.cooldownMs);
    this.#put(stored, new Circuit(this.#rules, { ...stored, until }));
    this.#changed.fire(stored.serverKey);
  }

  #create(tool: ToolAddress): Circuit {
    const circuit = new Circuit(this.#rules);
    this.#put(tool, circuit);
    return circuit;
  }

  #put({ serverKey, name }: ToolAddress, circuit: Circuit): void {
    const circuits = this.#servers.get(serverKey) ?? new Map<string, Circuit>();
    this.#servers.set(serverKey, circuits.set(name, circuit));
    const [oldest] = circuits.keys();
    if (circuits.size > maxPerServer && oldest !== undefined) circuits.delete(oldest);
  }

  #forget({ serverKey, name }: ToolAddress): void {
    const circuits = this.#servers.get(serverKey);
    circuits?.delete(name);
    if (circuits?.size === 0) this.#servers.delete(serverKey);
  }

  #report({ serverKey, name }: ToolAddress, status: Circuit['status']): void {
    this.#options.store?.save({ serverKey, name, ...status }).catch((error: unknown) => {
      this.#options.onStoreError?.(error);
    });
    this.#changed.fire(serverKey);
  }
}

/** From the integration design: 5 failures open it for 60 s, 3 successes close it. */
const documentedCircuit: CircuitRules = { failures: 5, cooldownMs: 60_000, successes: 3 };

/** Limits the memory, because a client connected to a single server may invent any number of names. */
const maxPerServer = 1_000;

const closedStatus: Circuit['status'] = {
  state: 'closed',
  failures: 0,
  successes: 0,
  openedAt: undefined,
  until: undefined,
};
