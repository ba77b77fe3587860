import type { Catalogue, CatalogueView, ClientProfile } from './contract.ts';
import { createNamedList, type NamedKind, type NameMemo } from './named-list.ts';
import { createResourceList, type LinkedBy } from './resource-list.ts';

/**
 * The catalogue as one kind of client sees it: a pure function of both. Items the client would refuse, or whose name
 * is taken, are left out of its lists and reported; they stay reachable by canonical id. Views of one profile may share
 * a memo, which makes the next one cheaper and changes nothing.
 */
export function createView(
  catalogue: Catalogue,
  profile: ClientProfile,
  memo: NameMemo = new WeakMap(),
  linkedBy?: LinkedBy,
): CatalogueView {
  const tools = onDemand(() => createNamedList(catalogue, profile, toolKind, memo));
  const prompts = onDemand(() => createNamedList(catalogue, profile, promptKind, memo));
  const resources = onDemand(() => createResourceList(catalogue, profile, linkedBy));
  return {
    revision: catalogue.revision,
    isWhole: isWhole(catalogue),
    get tools() {
      return tools().items;
    },
    get prompts() {
      return prompts().items;
    },
    get resources() {
      return resources().resources;
    },
    get resourceTemplates() {
      return resources().templates;
    },
    get problems() {
      return [...tools().problems, ...prompts().problems, ...resources().problems];
    },
    findTool: (name) => tools().find(name),
    findPrompt: (name) => prompts().find(name),
    findResource: (uri) => resources().find(uri),
    wireUri: (serverKey, uri) => resources().wireUri(serverKey, uri),
  };
}

/** Whether nothing more is expected to come into its lists by itself. */
function isWhole({ servers, awaited = [], isUnsure }: Catalogue): boolean {
  if (isUnsure === true || awaited.length > 0) return false;
  return servers.every(({ offer }) => offer.unlisted?.includes('tools') !== true);
}

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const toolKind: NamedKind = {
  noun: 'tool',
  part: 'tools',
  itemsOf: ({ offer }) => offer.tools,
  isDisabled: ({ disabledTools }, name) => disabledTools.has(name),
  isHeld: ({ heldTools }, name) => heldTools.has(name),
};

const promptKind: NamedKind = {
  noun: 'prompt',
  part: 'prompts',
  itemsOf: ({ offer }) => offer.prompts,
  isDisabled: () => false,
  isHeld: () => false,
};
