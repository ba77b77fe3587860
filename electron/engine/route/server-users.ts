import type { Caller } from './backchannel-contract.ts';

/** The open sessions, and which of them have used a server on its current connection. */
export class ServerUsers {
  readonly #present = new Set<Caller>();
  readonly #used = new Map<string, Set<Caller>>();
  readonly #rooted = new Map<string, Set<Caller>>();
  readonly #rootless = new Set<string>();

  join(caller: Caller): void {
    this.#present.add(caller);
  }

  leave(caller: Caller): void {
    this.#present.delete(caller);
    for (const map of [this.#used, this.#rooted]) {
      for (const [key, callers] of map) if (callers.delete(caller) && callers.size === 0) map.delete(key);
    }
  }

  used(serverKey: string, caller: Caller): void {
    if (this.#present.has(caller)) addTo(this.#used, serverKey, caller);
  }

  /** The server has received this session's roots. */
  toldRoots(serverKey: string, caller: Caller): void {
    this.#rootless.delete(serverKey);
    if (this.#present.has(caller)) addTo(this.#rooted, serverKey, caller);
  }

  /** The server asked for roots and no session could answer. */
  refusedRoots(serverKey: string): void {
    this.#rootless.add(serverKey);
  }

  /** The server was notified that it may ask again, once. */
  offeredRoots(serverKey: string): void {
    this.#rootless.delete(serverKey);
  }

  /** Servers whose request for roots was not answered. */
  get rootless(): readonly string[] {
    return [...this.#rootless];
  }

  knowRootsOf(caller: Caller): readonly string[] {
    return [...this.#rooted].flatMap(([key, callers]) => (callers.has(caller) ? [key] : []));
  }

  /** Returns the session that sees this server, if there is exactly one. */
  onlyOne(serverKey: string): Caller | undefined {
    return single(this.#seeing(serverKey));
  }

  /**
   * Returns the only session that sees this server, otherwise the only one that has used it; undefined if
   * there are several.
   */
  likeliest(serverKey: string): Caller | undefined {
    const used = [...(this.#used.get(serverKey) ?? [])].filter((caller) => caller.sees(serverKey));
    return this.onlyOne(serverKey) ?? single(used);
  }

  /** True if there are sessions but none of them sees this server. */
  isUnseen(serverKey: string): boolean {
    return this.#present.size > 0 && this.#seeing(serverKey).length === 0;
  }

  #seeing(serverKey: string): readonly Caller[] {
    return [...this.#present].filter(
      (caller) => (caller.only === undefined || caller.only === serverKey) && caller.sees(serverKey),
    );
  }

  /** Forgets the usage of a server that was restarted. */
  forget(serverKey: string): void {
    this.#used.delete(serverKey);
    this.#rooted.delete(serverKey);
    this.#rootless.delete(serverKey);
  }
}

function addTo(map: Map<string, Set<Caller>>, serverKey: string, caller: Caller): void {
  const callers = map.get(serverKey) ?? new Set();
  map.set(serverKey, callers.add(caller));
}

function single<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
