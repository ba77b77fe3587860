import type { Problem } from '../../../shared/error/problem.ts';
import type { Disposable } from '../base/emitter.ts';
import { shareUnchanged } from './catalogue-diff.ts';
import type { ConfiguredEntry } from './configured-servers.ts';
import type { CatalogueServer, ServerListing, ToolGate } from './contract.ts';
import { validateListing } from './listing/validate-listing.ts';
import { strictItems } from './strict/strict-items.ts';

interface KnownListing {
  readonly offer: ServerListing;
  readonly setAside: readonly Problem[];
  readonly strict: CatalogueServer['strict'];
  readonly heldTools: CatalogueServer['heldTools'];
  readonly judged?: true;
  readonly cached: boolean;
}

/** Holds the last listing of each server, checked by the gate. */
export class KnownListings {
  readonly #gate: ToolGate | undefined;
  readonly #listings = new Map<string, KnownListing>();

  constructor(gate: ToolGate | undefined, stored: readonly CatalogueServer[]) {
    this.#gate = gate;
    for (const { key, offer, setAside, strict, heldTools, judged } of stored)
      this.#listings.set(key, {
        offer,
        setAside,
        strict,
        heldTools,
        ...(judged ? { judged } : {}),
        cached: true,
      });
  }

  has(key: string): boolean {
    return this.#listings.has(key);
  }

  /** Sets a live listing; its unchanged parts keep their identity. */
  set(key: string, raw: ServerListing): void {
    const usable = validateListing(key, raw);
    const before = this.#listings.get(key);
    const offer = shareUnchanged(before?.offer, usable.offer);
    const strict = before?.offer === offer ? before.strict : strictItems(offer);
    const heldTools = this.#gate?.quarantine(key, offer.tools, this) ?? new Set();
    const judged = this.#gate === undefined ? {} : { judged: true as const };
    this.#listings.set(key, {
      offer,
      setAside: usable.setAside,
      strict,
      heldTools,
      ...judged,
      cached: false,
    });
  }

  /** Returns true if there was a listing. */
  clear(key: string): boolean {
    this.#gate?.quarantine(key, [], this);
    return this.#listings.delete(key);
  }

  /** A disabled server may change meanwhile, so its listing counts as cached until it is listed again. */
  markCached(enabled: ReadonlySet<string>): void {
    for (const [key, listing] of this.#listings)
      if (!enabled.has(key)) this.#listings.set(key, { ...listing, cached: true });
  }

  /** Calls `changed` whenever other tools of a listing are quarantined. */
  followGate(changed: () => void): Disposable | undefined {
    const gate = this.#gate;
    return gate?.onChange((key) => {
      const listing = this.#listings.get(key);
      if (listing === undefined) return;
      const heldTools = gate.quarantine(key, listing.offer.tools, this);
      this.#listings.set(key, { ...listing, heldTools, judged: true });
      changed();
    });
  }

  /** Returns the servers of these entries that were listed. */
  serversOf(entries: readonly ConfiguredEntry[]): readonly CatalogueServer[] {
    return entries.flatMap(({ key, disabledIn }) => {
      const listing = this.#listings.get(key);
      return listing === undefined ? [] : [{ key, disabledTools: disabledIn(listing.offer), ...listing }];
    });
  }
}
