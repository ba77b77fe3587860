import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { CatalogueServer, Offer, RawItem } from './contract.ts';
import { definitionFault, type ItemKind } from './definition-fault.ts';

/** Judges every item by the protocol's schema; what is unfit stays in the offer and is told of. */
export function judgeOffer(
  serverKey: string,
  offer: Offer,
): Pick<CatalogueServer, 'unfit'> & { readonly faults: readonly Problem[] } {
  const unfit = new Set<RawItem>();
  const faults: Problem[] = [];
  for (const [kind, items] of listsOf(offer)) {
    for (const item of items) {
      const fault = definitionFault(kind, item);
      if (fault === undefined) continue;
      unfit.add(item);
      faults.push(unfitItem(serverKey, kind, item, fault));
    }
  }
  return { unfit, faults };
}

function listsOf(offer: Offer): readonly (readonly [ItemKind, readonly RawItem[]])[] {
  return [
    ['tool', offer.tools],
    ['prompt', offer.prompts],
    ['resource', offer.resources],
    ['resource template', offer.resourceTemplates],
  ];
}

function unfitItem(serverKey: string, kind: ItemKind, item: RawItem, fault: string): Problem {
  const name = String(item.name ?? item.uri ?? item.uriTemplate);
  const sentence = `The ${kind} ${JSON.stringify(name)} of ${serverKey} has a broken definition, and clients that would refuse it do not get it: ${fault}.`;
  const fix = 'Update the server or report this to its author; the rest of it works.';
  return problem('tool.invalid_definition', sentence, fix, { server: serverKey, kind, name, reason: fault });
}
