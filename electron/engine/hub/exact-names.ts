import { defaultListTimeoutMs } from '../catalogue/client-table.ts';
import type { ClientProfile } from '../catalogue/contract.ts';

/** Empty lists for the hub's own calls, which only resolve names. */
export const noLists = {
  isWhole: true,
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  problems: [],
};

/** Uses canonical names of any length. */
export const canonicalNames: ClientProfile = {
  style: 'colon',
  budget: Number.POSITIVE_INFINITY,
  pattern: /^/,
  listTimeoutMs: defaultListTimeoutMs,
  honoursListChanged: true,
  isStrict: false,
};
