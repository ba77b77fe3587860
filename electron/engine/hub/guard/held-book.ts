import type { HeldDefinition } from '../../policy/contract.ts';

/** A quarantined definition and when it was first seen. */
export interface SeenDefinition extends HeldDefinition {
  readonly since: number;
}

/**
 * Quarantined definitions by server, of its shared process and of the processes that sessions have for
 * themselves.
 */
export class HeldBook {
  readonly #byServer = new Map<string, Map<object, readonly SeenDefinition[]>>();

  /** Returns whether the quarantine of the server has changed. */
  note(serverKey: string, asker: object, definitions: readonly HeldDefinition[], now: number): boolean {
    const byAsker = this.#byServer.get(serverKey);
    const before = byAsker?.get(asker) ?? [];
    if (definitions.length === 0 && before.length === 0) return false;
    const since = new Map(this.of(serverKey).map((seen) => [idOf(seen), seen.since]));
    const after = definitions.map((one) => ({ ...one, since: since.get(idOf(one)) ?? now }));
    if (after.length === 0) byAsker?.delete(asker);
    else this.#byServer.set(serverKey, (byAsker ?? new Map()).set(asker, after));
    if (byAsker?.size === 0) this.#byServer.delete(serverKey);
    return !isSame(before, after);
  }

  /** Returns each definition once. */
  of(serverKey: string): readonly SeenDefinition[] {
    const all = [...(this.#byServer.get(serverKey)?.values() ?? [])].flat();
    return [...new Map(all.map((seen) => [idOf(seen), seen])).values()];
  }

  forget(serverKey: string): void {
    this.#byServer.delete(serverKey);
  }
}

function idOf({ name, digest }: HeldDefinition): string {
  return `${digest} ${name}`;
}

function isSame(some: readonly SeenDefinition[], others: readonly SeenDefinition[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index];
      return other !== undefined && idOf(one) === idOf(other) && one.blocked === other.blocked;
    })
  );
}
