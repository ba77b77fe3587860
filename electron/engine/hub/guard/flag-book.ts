import type { ToolFlag } from '../../../../shared/model/guard.ts';
import type { Catalogue, RawItem } from '../../catalogue/contract.ts';
import type { Definition } from '../../policy/contract.ts';
import { flagsOf } from '../../policy/flags.ts';
import { Lookalikes } from '../../policy/lookalike.ts';
import { raisedRisk } from '../../policy/raised-risk.ts';

/** What is worth a look in definitions; each is read once for one state of the catalogue. */
export class FlagBook {
  readonly #known = new WeakMap<
    RawItem,
    { readonly among: Lookalikes; readonly flags: readonly ToolFlag[] }
  >();
  #among: { readonly catalogue: Catalogue | undefined; readonly lookalikes: Lookalikes } | undefined;

  of(serverKey: string, { name, item }: Definition, catalogue: Catalogue | undefined): readonly ToolFlag[] {
    const among = this.#lookalikes(catalogue);
    const known = this.#known.get(item);
    if (known?.among === among) return known.flags;
    const flags = flagsOf({ serverKey, name, item }, among);
    this.#known.set(item, { among, flags });
    return flags;
  }

  /** Flags of what in a definition is riskier than in the one before it. */
  raised(
    serverKey: string,
    { name, item }: Definition,
    before: RawItem | undefined,
    catalogue: Catalogue | undefined,
  ): readonly ToolFlag[] {
    return raisedRisk({ serverKey, name, before, item }, this.#lookalikes(catalogue));
  }

  #lookalikes(catalogue: Catalogue | undefined): Lookalikes {
    if (this.#among === undefined || this.#among.catalogue !== catalogue) {
      this.#among = { catalogue, lookalikes: new Lookalikes(approvedTools(catalogue)) };
    }
    return this.#among.lookalikes;
  }
}

/** What is held is no name that another can be taken for. */
function approvedTools(catalogue: Catalogue | undefined) {
  return (catalogue?.servers ?? []).flatMap(({ key, offer, heldTools }) =>
    offer.tools.flatMap(({ name }) =>
      typeof name === 'string' && !heldTools.has(name) ? [{ serverKey: key, name }] : [],
    ),
  );
}
