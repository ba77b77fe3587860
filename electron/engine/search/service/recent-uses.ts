import type { Clock } from '../../base/clock.ts';

/** A number of calls of one tool. */
export interface ToolCalls {
  readonly serverKey: string;
  readonly name: string;
  readonly calls: number;
}

export interface RecentUsesOptions {
  readonly clock: Clock;
  readonly uses: () => Promise<readonly ToolCalls[]>;
}

/** Counts of recent tool calls by server and name; empty if they cannot be read. */
export class RecentUses {
  readonly #options: RecentUsesOptions;
  #uses: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: RecentUsesOptions) {
    this.#options = options;
  }

  of(serverKey: string): ReadonlyMap<string, number> | undefined {
    return this.#uses.get(serverKey);
  }

  /** Skips reading for some minutes: recent calls weigh little against weeks. */
  async read(): Promise<void> {
    const now = this.#options.clock.uptime();
    if (now - this.#readAt < freshMs) return;
    this.#readAt = now;
    const uses = new Map<string, Map<string, number>>();
    for (const { serverKey, name, calls } of await this.#options.uses().catch(() => [])) {
      const ofServer = uses.get(serverKey) ?? new Map<string, number>();
      uses.set(serverKey, ofServer.set(name, (ofServer.get(name) ?? 0) + calls));
    }
    this.#uses = uses;
  }
}

/** Milliseconds before the counts are read again. */
const freshMs = 300_000;
