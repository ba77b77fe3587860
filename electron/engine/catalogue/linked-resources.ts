import type { Catalogue, CatalogueServer } from './contract.ts';
import { isDeclared } from './list-specs.ts';

/**
 * Maps linked resource URIs to the server that linked to them last. Links need not be in any list (MCP
 * 2025-11-25, Server Features, Tools, Resource Links), so only the results tell which server they belong to.
 */
export class LinkedResources {
  readonly #catalogue: () => Catalogue;
  readonly #servers = new Map<string, string>();
  #providers: { readonly of: Catalogue; readonly keys: ReadonlySet<string> } | undefined;

  constructor(catalogue: () => Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Returns false if links are not needed: the server has no resources, or is the only one with any. */
  needsLinksOf(serverKey: string): boolean {
    const keys = this.#providerKeys();
    return keys.size > 1 && keys.has(serverKey);
  }

  add(serverKey: string, uri: string): void {
    if (uri.length > maxUriLength) return;
    this.#servers.delete(uri);
    this.#servers.set(uri, serverKey);
    if (this.#servers.size <= maxLinks) return;
    for (const oldest of this.#servers.keys()) {
      this.#servers.delete(oldest);
      return;
    }
  }

  serverOf(uri: string): string | undefined {
    return this.#servers.get(uri);
  }

  #providerKeys(): ReadonlySet<string> {
    const of = this.#catalogue();
    if (this.#providers?.of !== of)
      this.#providers = { of, keys: new Set(of.servers.filter(hasResources).map(({ key }) => key)) };
    return this.#providers.keys;
  }
}

const maxLinks = 5_000;
const maxUriLength = 4_096;

/** Checks whether a server has resources, listed or not. */
export function hasResources({ offer }: CatalogueServer): boolean {
  const { capabilities, resources, resourceTemplates } = offer;
  return (
    isDeclared(capabilities, { capability: 'resources' }) === true ||
    resources.length + resourceTemplates.length > 0
  );
}
