import type { Catalogue, CatalogueView, ClientProfile } from '../contract.ts';
import { createNamedList, type NamedKind, type NameMemo } from './named-list.ts';
import { createResourceList, type LinkedBy } from './resource-list.ts';

/**
 * Creates the catalogue view of one kind of client. Items that the client would refuse, or whose name is
 * taken, are left out of its lists and reported; they can still be called by canonical id. Views of one
 * profile may share a memo, which only makes the next one cheaper.
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
    isComplete: isComplete(catalogue),
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

/** Checks whether no more items are expected in its lists. */
function isComplete({ servers, awaited = [], isUnsure }: Catalogue): boolean {
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
  isQuarantined: ({ heldTools }, name) => heldTools.has(name),
};

const promptKind: NamedKind = {
  noun: 'prompt',
  part: 'prompts',
  itemsOf: ({ offer }) => offer.prompts,
  isDisabled: () => false,
  isQuarantined: () => false,
};
