import type { Catalogue, CatalogueServer } from './contract.ts';
import { isDeclared } from './list-specs.ts';

/**
 * Resources that results have linked to, by their URI, with the server that linked them last. Links need not stand in any
 * list (MCP 2025-11-25, Server Features, Tools, Resource Links), so their results alone tell whose they are.
 */
export class LinkedResources {
  readonly #catalogue: () => Catalogue;
  readonly #servers = new Map<string, string>();
  #providers: { readonly of: Catalogue; readonly keys: ReadonlySet<string> } | undefined;

  constructor(catalogue: () => Catalogue) {
    this.#catalogue = catalogue;
  }

  /** False where links say nothing new: of a server without resources, or of the only one with any. */
  wants(serverKey: string): boolean {
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

/** Whether a server has resources, listed or not. */
export function hasResources({ offer }: CatalogueServer): boolean {
  const { capabilities, resources, resourceTemplates } = offer;
  return (
    isDeclared(capabilities, { capability: 'resources' }) === true ||
    resources.length + resourceTemplates.length > 0
  );
}
