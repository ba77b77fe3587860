import type { RawItem } from './contract.ts';

/**
 * The hub's own tool, listed if there is no other, and in every incomplete list: otherwise an empty or short
 * list would look complete. It also shows that the client has reached the hub.
 */
export const statusTool: RawItem & { readonly name: string } = {
  name: 'patchbay_status',
  title: 'Patchbay status',
  description:
    'Some or all MCP servers behind Patchbay have not listed their tools yet, so this list is not complete. Call this tool to see the state of each server and what is missing, then list the tools again. It disappears once the list is complete.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** When the status tool is listed: `short` in incomplete lists, `empty` also in lists without any tool. */
export type StatusToolRule = 'short' | 'empty';

/** Adds the status tool if the rule requires it. */
export function withStatusTool(
  items: readonly RawItem[],
  isComplete: boolean,
  rule: StatusToolRule = 'empty',
): readonly RawItem[] {
  const isListed = !isComplete || (rule === 'empty' && items.length === 0);
  return isListed ? [...items, statusTool] : items;
}
