import type { ToolFlag } from '../../../shared/model/tool/guard.ts';
import type { Catalogue, RawItem } from '../catalogue/contract.ts';
import type { Definition } from './definition/contract.ts';
import { flagsOf } from './definition/flags.ts';
import { Lookalikes } from './definition/lookalike.ts';
import { raisedRisk } from './definition/raised-risk.ts';

/** Finds what is suspicious in definitions; caches the findings for each state of the catalogue. */
export class Findings {
  readonly #known = new WeakMap<
    RawItem,
    { readonly among: Lookalikes; readonly flags: readonly ToolFlag[] }
  >();
  #lookalikesOf: { readonly catalogue: Catalogue | undefined; readonly lookalikes: Lookalikes } | undefined;

  of(serverKey: string, { name, item }: Definition, catalogue: Catalogue | undefined): readonly ToolFlag[] {
    const lookalikes = this.#lookalikes(catalogue);
    const known = this.#known.get(item);
    if (known?.among === lookalikes) return known.flags;
    const flags = flagsOf({ serverKey, name, item }, lookalikes);
    this.#known.set(item, { among: lookalikes, flags });
    return flags;
  }

  /** Returns the findings that make a definition riskier than the one before it. */
  raised(
    serverKey: string,
    { name, item }: Definition,
    before: RawItem | undefined,
    catalogue: Catalogue | undefined,
  ): readonly ToolFlag[] {
    return raisedRisk({ serverKey, name, before, item }, this.#lookalikes(catalogue));
  }

  #lookalikes(catalogue: Catalogue | undefined): Lookalikes {
    if (this.#lookalikesOf === undefined || this.#lookalikesOf.catalogue !== catalogue) {
      this.#lookalikesOf = { catalogue, lookalikes: new Lookalikes(approvedTools(catalogue)) };
    }
    return this.#lookalikesOf.lookalikes;
  }
}

/** Quarantined tools do not count as names that another tool can imitate. */
function approvedTools(catalogue: Catalogue | undefined) {
  return (catalogue?.servers ?? []).flatMap(({ key, offer, heldTools }) =>
    offer.tools.flatMap(({ name }) =>
      typeof name === 'string' && !heldTools.has(name) ? [{ serverKey: key, name }] : [],
    ),
  );
}
