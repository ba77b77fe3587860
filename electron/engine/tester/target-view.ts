import type { TestTarget } from '../../../shared/model/tool/tester.ts';
import { canonicalNames, noLists } from '../catalogue/canonical-names.ts';
import type { Catalogue, CatalogueView, ClientProfile, NameLookup, RawItem } from '../catalogue/contract.ts';

/**
 * The catalogue as a run sees it. The target is found by its original name, listed or not; if it is not
 * listed, the server decides. Everything else has canonical ids, for fallbacks. `evenIfOff` allows a tool
 * that is turned off.
 */
export function targetView(
  catalogue: Catalogue,
  target: TestTarget,
  evenIfOff: boolean,
  createView: (catalogue: Catalogue, profile: ClientProfile) => CatalogueView,
): CatalogueView {
  const all = createView(catalogue, canonicalNames);
  const { serverKey, name } = target;

  function find(kind: 'tools' | 'prompts'): NameLookup {
    const on = catalogue.servers.find(({ key }) => key === serverKey);
    const listed = on?.offer[kind].find((item) => item.name === name);
    const found = named(target, listed ?? { name });
    if (on === undefined && catalogue.off.some(({ key }) => key === serverKey)) {
      return { kind: 'server-off', target: found };
    }
    const isOff = kind === 'tools' && on?.disabledTools.has(name) === true;
    if (isOff && !evenIfOff) return { kind: 'disabled', target: found };
    const isHeld = kind === 'tools' && on?.heldTools.has(name) === true;
    return { kind: isHeld ? 'held' : 'found', target: found };
  }

  return {
    revision: catalogue.revision,
    ...noLists,
    findTool: (calledName) => (calledName === name ? find('tools') : all.findTool(calledName)),
    findPrompt: (calledName) => (calledName === name ? find('prompts') : all.findPrompt(calledName)),
    findResource: (uri) => ({ serverKey, uri }),
    wireUri: (_key, uri) => uri,
  };
}

function named({ serverKey, name }: TestTarget, item: RawItem) {
  return { serverKey, name, wireName: name, item };
}
