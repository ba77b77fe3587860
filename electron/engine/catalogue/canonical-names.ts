import { defaultListTimeoutMs } from './client-facts.ts';
import type { ClientProfile } from './contract.ts';

/** Empty lists for the hub's own calls, which only resolve names. */
export const noLists = {
  isComplete: true,
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
