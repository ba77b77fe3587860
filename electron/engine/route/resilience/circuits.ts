import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { BreakerMemory, BreakerSnapshot, ToolAddress } from '../contract.ts';
import { Circuit, type CircuitRules, type Verdict } from './circuit.ts';

export interface CircuitsOptions {
  readonly clock: Clock;
  /** Where they outlive the program; nowhere by default. */
  readonly memory?: BreakerMemory;
  /** Told what the memory failed with. */
  readonly onMemoryError?: (error: unknown) => void;
  /** The document's by default. */
  readonly rules?: CircuitRules;
}

/** A tool whose circuit is not closed: calls are refused until `until`, then let through as trials. */
export interface OpenCircuit {
  readonly tool: string;
  readonly until: number;
}

/**
 * The circuits of all tools (REQ-MCP-CALL-005). There is one for each tool that has failed and not yet succeeded since:
 * for all others, a call costs one look into an almost always empty map.
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

  /** A circuit of this server has opened, closed, or is being tried. */
  get onChange(): Event<string> {
    return this.#changed.event;
  }

  /** Takes up what was kept; what has been learnt meanwhile counts more. */
  async restore(): Promise<void> {
    try {
      for (const kept of (await this.#options.memory?.load()) ?? []) this.#restore(kept);
    } catch (error) {
      this.#options.onMemoryError?.(error);
    }
  }

  now(): number {
    return this.#options.clock.now();
  }

  /** The circuit of a tool; undefined where nothing speaks against it. */
  find(serverKey: string, name: string): Circuit | undefined {
    return this.#servers.get(serverKey)?.get(name);
  }

  /** A call of the tool is over. `circuit` and `round`: what it began with, if anything. */
  note(tool: ToolAddress, verdict: Verdict, circuit?: Circuit, round?: number): void {
    const known = this.find(tool.serverKey, tool.name);
    // Another one than it began with: that one has been forgotten on somebody's wish.
    if (circuit !== undefined && known !== circuit) return;
    const judged = known ?? (verdict === 'failure' ? this.#make(tool) : undefined);
    if (judged === undefined) return;
    const before = judged.status;
    judged.leave(round, verdict, this.now());
    const { status } = judged;
    if (judged.isSound) this.#forget(tool);
    if (status.state !== before.state || status.until !== before.until) this.#tell(tool, status);
  }

  /** By server, for its view. */
  open(serverKey: string): readonly OpenCircuit[] {
    const circuits = [...(this.#servers.get(serverKey) ?? [])];
    return circuits.flatMap(([tool, { status }]) =>
      status.until === undefined ? [] : [{ tool, until: status.until }],
    );
  }

  /** Of every tool that something speaks against. */
  all(): readonly BreakerSnapshot[] {
    return [...this.#servers].flatMap(([serverKey, circuits]) =>
      [...circuits].map(([name, { status }]) => ({ serverKey, name, ...status })),
    );
  }

  /** Forgets what is held against a server, or one tool of it: the user has started it anew, has taken it away, or says so. */
  reset(serverKey: string, tool?: string): void {
    const held = [...(this.#servers.get(serverKey) ?? [])];
    for (const [name, circuit] of tool === undefined ? held : held.filter(([name]) => name === tool)) {
      this.#forget({ serverKey, name });
      if (!circuit.isClosed) this.#tell({ serverKey, name }, soundStatus);
    }
  }

  #restore(kept: BreakerSnapshot): void {
    if (this.find(kept.serverKey, kept.name) !== undefined || kept.until === undefined) return;
    // A clock that was set back must not keep a tool shut for longer than it ever is.
    const until = Math.min(kept.until, this.now() + this.#rules.cooldown);
    this.#put(kept, new Circuit(this.#rules, { ...kept, until }));
    this.#changed.fire(kept.serverKey);
  }

  #make(tool: ToolAddress): Circuit {
    const circuit = new Circuit(this.#rules);
    this.#put(tool, circuit);
    return circuit;
  }

  #put({ serverKey, name }: ToolAddress, circuit: Circuit): void {
    const circuits = this.#servers.get(serverKey) ?? new Map<string, Circuit>();
    this.#servers.set(serverKey, circuits.set(name, circuit));
    const [oldest] = circuits.keys();
    if (circuits.size > mostPerServer && oldest !== undefined) circuits.delete(oldest);
  }

  #forget({ serverKey, name }: ToolAddress): void {
    const circuits = this.#servers.get(serverKey);
    circuits?.delete(name);
    if (circuits?.size === 0) this.#servers.delete(serverKey);
  }

  #tell({ serverKey, name }: ToolAddress, status: Circuit['status']): void {
    this.#options.memory?.save({ serverKey, name, ...status }).catch((error: unknown) => {
      this.#options.onMemoryError?.(error);
    });
    this.#changed.fire(serverKey);
  }
}

/** Integration design: 5 failures open it, for 60 s, 3 successes close it. */
const documentedCircuit: CircuitRules = { failures: 5, cooldown: 60_000, successes: 3 };

/** A client that is connected to one server alone may make up as many names as it likes. */
const mostPerServer = 1_000;

const soundStatus: Circuit['status'] = {
  state: 'closed',
  failures: 0,
  successes: 0,
  openedAt: undefined,
  until: undefined,
};
