import type { CatalogueView } from '../contract.ts';

/** Members of a view that a derived one replaces. */
interface OwnMembers extends Pick<CatalogueView, 'findTool'> {
  readonly tools?: () => CatalogueView['tools'];
}

/** Returns a view that finds tools, and may list them, otherwise; lists are still made on demand. */
export function derivedView(view: CatalogueView, { findTool, tools }: OwnMembers): CatalogueView {
  return {
    revision: view.revision,
    isComplete: view.isComplete,
    get tools() {
      return tools === undefined ? view.tools : tools();
    },
    get prompts() {
      return view.prompts;
    },
    get resources() {
      return view.resources;
    },
    get resourceTemplates() {
      return view.resourceTemplates;
    },
    get problems() {
      return view.problems;
    },
    findTool,
    findPrompt: view.findPrompt,
    findResource: view.findResource,
    wireUri: view.wireUri,
  };
}
