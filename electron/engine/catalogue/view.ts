import type { Catalogue, CatalogueView, ClientProfile } from './contract.ts';
import { createNamedList, type NamedKind } from './named-list.ts';
import { createResourceList } from './resource-list.ts';

/**
 * The catalogue as one kind of client sees it: a pure function of both. Items the client would refuse, or whose name
 * is taken, are left out of its lists and reported; they stay reachable by canonical id.
 */
export function createView(catalogue: Catalogue, profile: ClientProfile): CatalogueView {
  const tools = createNamedList(catalogue, profile, toolKind);
  const prompts = createNamedList(catalogue, profile, promptKind);
  const resources = createResourceList(catalogue);
  return {
    revision: catalogue.revision,
    tools: tools.items,
    prompts: prompts.items,
    resources: resources.resources,
    resourceTemplates: resources.templates,
    problems: [...tools.problems, ...prompts.problems, ...resources.problems],
    findTool: tools.find,
    findPrompt: prompts.find,
    findResource: resources.find,
    wireUri: resources.wireUri,
  };
}

const toolKind: NamedKind = {
  noun: 'tool',
  itemsOf: ({ offer }) => offer.tools,
  isDisabled: ({ disabledTools }, name) => disabledTools.has(name),
};

const promptKind: NamedKind = {
  noun: 'prompt',
  itemsOf: ({ offer }) => offer.prompts,
  isDisabled: () => false,
};
