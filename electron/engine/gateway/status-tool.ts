import type { CatalogueView, RawItem } from '../catalogue/contract.ts';

/**
 * The hub's own tool, listed where there is no other: an empty list would look like a broken connection, and nobody could
 * ask why. By itself it shows that the client has reached the hub.
 */
export const statusTool: RawItem & { readonly name: string } = {
  name: 'patchbay_status',
  title: 'Patchbay status',
  description:
    'Tells which MCP servers Patchbay manages, how they are, and why none of their tools can be used now. Their tools appear in the list once they are available.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

export function statusAnswer(text: string): unknown {
  return { content: [{ type: 'text', text }] };
}

/** For a client that goes by the list of before: there is nothing wrong any more. */
export function listedMeanwhile({ tools }: CatalogueView): string | undefined {
  const count = tools.filter(({ name }) => name !== statusTool.name).length;
  if (count === 0) return undefined;
  return `Patchbay has ${count === 1 ? '1 tool' : `${count} tools`} for this client now. List the tools again.`;
}
