import type { RawItem } from './contract.ts';

/**
 * The hub's own tool, listed where there is no other, and in every list that is not whole yet: an empty or a short list would
 * look as if that were all, and nobody could ask why. By itself it shows that the client has reached the hub.
 */
export const statusTool: RawItem & { readonly name: string } = {
  name: 'patchbay_status',
  title: 'Patchbay status',
  description:
    'Some or all MCP servers behind Patchbay have not said yet which tools they have, so this list is not complete. Call this tool to learn how each server is and what is missing; then list the tools again. It leaves the list once the list is complete.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** Where the hub's own tool is listed: `short` in lists that are not whole, `empty` in those without any tool as well. */
export type StatusToolRule = 'short' | 'empty';

/** The tools as a client is told them, with the hub's own where it has something to say. */
export function withStatusTool(
  items: readonly RawItem[],
  isWhole: boolean,
  rule: StatusToolRule = 'empty',
): readonly RawItem[] {
  const isListed = !isWhole || (rule === 'empty' && items.length === 0);
  return isListed ? [...items, statusTool] : items;
}
