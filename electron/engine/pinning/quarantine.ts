import type { QuarantinedDefinition } from './definition/contract.ts';

/** A quarantined definition and when it was first seen. */
export interface DatedDefinition extends QuarantinedDefinition {
  readonly since: number;
}

/**
 * Quarantined definitions by server, of its shared process and of the processes that sessions have for
 * themselves.
 */
export class Quarantine {
  readonly #byServer = new Map<string, Map<object, readonly DatedDefinition[]>>();

  /** Returns whether the quarantine of the server has changed. */
  update(
    serverKey: string,
    owner: object,
    definitions: readonly QuarantinedDefinition[],
    now: number,
  ): boolean {
    const byOwner = this.#byServer.get(serverKey);
    const before = byOwner?.get(owner) ?? [];
    if (definitions.length === 0 && before.length === 0) return false;
    const since = new Map(this.of(serverKey).map((seen) => [idOf(seen), seen.since]));
    const after = definitions.map((one) => ({ ...one, since: since.get(idOf(one)) ?? now }));
    if (after.length === 0) byOwner?.delete(owner);
    else this.#byServer.set(serverKey, (byOwner ?? new Map()).set(owner, after));
    if (byOwner?.size === 0) this.#byServer.delete(serverKey);
    return !isSame(before, after);
  }

  /** Returns each definition once. */
  of(serverKey: string): readonly DatedDefinition[] {
    const all = [...(this.#byServer.get(serverKey)?.values() ?? [])].flat();
    return [...new Map(all.map((seen) => [idOf(seen), seen])).values()];
  }

  forget(serverKey: string): void {
    this.#byServer.delete(serverKey);
  }
}

function idOf({ name, digest }: QuarantinedDefinition): string {
  return `${digest} ${name}`;
}

function isSame(some: readonly DatedDefinition[], others: readonly DatedDefinition[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index];
      return other !== undefined && idOf(one) === idOf(other) && one.blocked === other.blocked;
    })
  );
}
