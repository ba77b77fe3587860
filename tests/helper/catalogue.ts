import {
  type Catalogue,
  type CatalogueServer,
  emptyListing,
  type ServerListing,
} from '../../electron/engine/catalogue/contract.ts';

import { strictItems } from '../../electron/engine/catalogue/strict-items.ts';

/** An offer with every capability its lists need; tools may be given by name. */
export function offerOf(
  parts: Partial<Omit<ServerListing, 'tools'>> & { readonly tools?: readonly (string | object)[] } = {},
): ServerListing {
  const tools = (parts.tools ?? []).map((tool) => (typeof tool === 'string' ? toolNamed(tool) : { ...tool }));
  const capabilities = {
    tools: {},
    ...(parts.resources || parts.resourceTemplates ? { resources: {} } : {}),
  };
  return { ...emptyListing, protocolVersion: '2025-11-25', capabilities, ...parts, tools };
}

export function toolNamed(name: string) {
  return { name, description: `Does ${name}`, inputSchema: { type: 'object' } };
}

export function serverOf(
  key: string,
  parts: Parameters<typeof offerOf>[0] = {},
  disabledTools: readonly string[] = [],
  heldTools: readonly string[] = [],
): CatalogueServer {
  const offer = offerOf(parts);
  return {
    key,
    offer,
    cached: false,
    disabledTools: new Set(disabledTools),
    heldTools: new Set(heldTools),
    setAside: [],
    strict: strictItems(offer),
  };
}

export function catalogueOf(...servers: readonly CatalogueServer[]): Catalogue {
  return { revision: 1, servers, off: [] };
}
