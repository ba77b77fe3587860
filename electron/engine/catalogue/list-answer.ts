import { type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import type { CatalogueView, ListPart, RawItem } from './contract.ts';

/** Checks whether a method is a list method. */
export function isListMethod(method: string): method is ListMethod {
  return listMethods.some((known) => known === method);
}

/** The member of a list's result that holds its items. */
export const listKeys: Readonly<Record<ListMethod, ListPart>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** Returns the items that a list method responds with. */
export function itemsOf(view: CatalogueView, method: ListMethod): readonly RawItem[] {
  switch (method) {
    case 'tools/list':
      return view.tools;
    case 'resources/list':
      return view.resources;
    case 'resources/templates/list':
      return view.resourceTemplates;
    case 'prompts/list':
      return view.prompts;
  }
}
