import { defaultListPatience } from '../catalogue/client-table.ts';
import type { ClientProfile } from '../catalogue/contract.ts';

/** Calls of the hub's own look names up; what all of them are is not asked for. */
export const noLists = {
  isWhole: true,
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  problems: [],
};

/** Names as they are, of any length. */
export const canonicalNames: ClientProfile = {
  style: 'colon',
  budget: Number.POSITIVE_INFINITY,
  pattern: /^/,
  listPatience: defaultListPatience,
  honoursListChanged: true,
  refusesUnfit: false,
};
