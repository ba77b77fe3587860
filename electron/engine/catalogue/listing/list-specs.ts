import type { ListMethod } from '../../../../shared/model/mcp.ts';
import type { ListPart, ServerListing } from '../contract.ts';

export interface ListSpec {
  readonly part: ListPart;
  readonly method: ListMethod;
  readonly capability: 'tools' | 'prompts' | 'resources';
  /** The member that identifies an item. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
}

export const lists: readonly ListSpec[] = [
  { part: 'tools', method: 'tools/list', capability: 'tools', key: 'name' },
  { part: 'prompts', method: 'prompts/list', capability: 'prompts', key: 'name' },
  { part: 'resources', method: 'resources/list', capability: 'resources', key: 'uri' },
  {
    part: 'resourceTemplates',
    method: 'resources/templates/list',
    capability: 'resources',
    key: 'uriTemplate',
  },
];

/** Returns undefined if the server declares neither presence nor absence. */
export function isDeclared(
  capabilities: ServerListing['capabilities'],
  { capability }: Pick<ListSpec, 'capability'>,
): boolean | undefined {
  const declared = capabilities[capability];
  if (declared === undefined || declared === null) return undefined;
  return declared !== false;
}

/** Returns the declared capabilities, plus those that the server has without declaring them. */
export function capabilitiesOf(offer: ServerListing): ServerListing['capabilities'] {
  const found = lists.filter(
    (list) => offer[list.part].length > 0 && isDeclared(offer.capabilities, list) !== true,
  );
  if (found.length === 0) return offer.capabilities;
  return { ...offer.capabilities, ...Object.fromEntries(found.map(({ capability }) => [capability, {}])) };
}
