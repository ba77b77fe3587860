import { type Caller, logLevels, type McpLogLevel } from './backchannel-contract.ts';

/** Which session wants to hear log messages from which severity on. */
export class LogLevels {
  readonly #asked = new Map<Caller, McpLogLevel>();

  set(caller: Caller, level: McpLogLevel): void {
    this.#asked.set(caller, level);
  }

  delete(caller: Caller): void {
    this.#asked.delete(caller);
  }

  /** What a server is told: the most verbose level of the sessions that see it; undefined if none has asked. */
  levelFor(serverKey: string): McpLogLevel | undefined {
    let lowest: number | undefined;
    for (const [caller, level] of this.#asked) {
      if (!sees(caller, serverKey)) continue;
      lowest = Math.min(lowest ?? Number.POSITIVE_INFINITY, severity(level));
    }
    return lowest === undefined ? undefined : logLevels[lowest];
  }

  /** The sessions that asked for messages of this level. One of an unknown level passes: its reader may know it. */
  listeners(serverKey: string, level: unknown): readonly Caller[] {
    return [...this.#asked.keys()].filter((caller) => this.admits(caller, serverKey, level));
  }

  /**
   * Whether a session is to be sent a message it is known to have caused. One that never set a level hears what the
   * server sends by itself; that others made the server more talkative must not show.
   */
  admits(caller: Caller, serverKey: string, level: unknown): boolean {
    if (!sees(caller, serverKey)) return false;
    const asked = this.#asked.get(caller) ?? (this.levelFor(serverKey) === undefined ? 'debug' : 'info');
    const known = (logLevels as readonly unknown[]).indexOf(level);
    return known === -1 || known >= severity(asked);
  }
}

export function isLogLevel(level: unknown): level is McpLogLevel {
  return logLevels.some((name) => name === level);
}

function sees({ only }: Caller, serverKey: string): boolean {
  return only === undefined || only === serverKey;
}

function severity(level: McpLogLevel): number {
  return logLevels.indexOf(level);
}
