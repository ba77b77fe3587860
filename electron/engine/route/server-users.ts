import type { Caller } from './backchannel-contract.ts';

/** The open sessions, and which of them have used a server on its current connection. */
export class ServerUsers {
  readonly #sessions = new Set<Caller>();
  readonly #used = new Map<string, Set<Caller>>();
  readonly #knowingRoots = new Map<string, Set<Caller>>();
  readonly #lackingRoots = new Set<string>();

  join(caller: Caller): void {
    this.#sessions.add(caller);
  }

  leave(caller: Caller): void {
    this.#sessions.delete(caller);
    for (const map of [this.#used, this.#knowingRoots]) {
      for (const [key, callers] of map) if (callers.delete(caller) && callers.size === 0) map.delete(key);
    }
  }

  markUsed(serverKey: string, caller: Caller): void {
    if (this.#sessions.has(caller)) addToSet(this.#used, serverKey, caller);
  }

  /** The server has received this session's roots. */
  rootsSent(serverKey: string, caller: Caller): void {
    this.#lackingRoots.delete(serverKey);
    if (this.#sessions.has(caller)) addToSet(this.#knowingRoots, serverKey, caller);
  }

  /** The server asked for roots and no session could answer. */
  rootsRefused(serverKey: string): void {
    this.#lackingRoots.add(serverKey);
  }

  /** The server was notified that it may ask again, once. */
  rootsAnnounced(serverKey: string): void {
    this.#lackingRoots.delete(serverKey);
  }

  /** Servers whose request for roots was not answered. */
  get lackingRoots(): readonly string[] {
    return [...this.#lackingRoots];
  }

  serversKnowingRootsOf(caller: Caller): readonly string[] {
    return [...this.#knowingRoots].flatMap(([key, callers]) => (callers.has(caller) ? [key] : []));
  }

  /** Returns the session that sees this server, if there is exactly one. */
  onlySession(serverKey: string): Caller | undefined {
    return single(this.#sessionsSeeing(serverKey));
  }

  /**
   * Returns the only session that sees this server, otherwise the only one that has used it; undefined if
   * there are several.
   */
  likelySession(serverKey: string): Caller | undefined {
    const markUsed = [...(this.#used.get(serverKey) ?? [])].filter((caller) => caller.sees(serverKey));
    return this.onlySession(serverKey) ?? single(markUsed);
  }

  /** True if there are sessions but none of them sees this server. */
  isHiddenFromAll(serverKey: string): boolean {
    return this.#sessions.size > 0 && this.#sessionsSeeing(serverKey).length === 0;
  }

  #sessionsSeeing(serverKey: string): readonly Caller[] {
    return [...this.#sessions].filter(
      (caller) => (caller.only === undefined || caller.only === serverKey) && caller.sees(serverKey),
    );
  }

  /** Forgets the usage of a server that was restarted. */
  forget(serverKey: string): void {
    this.#used.delete(serverKey);
    this.#knowingRoots.delete(serverKey);
    this.#lackingRoots.delete(serverKey);
  }
}

function addToSet(map: Map<string, Set<Caller>>, serverKey: string, caller: Caller): void {
  const callers = map.get(serverKey) ?? new Set();
  map.set(serverKey, callers.add(caller));
}

function single<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
