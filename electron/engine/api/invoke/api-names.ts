import { canonicalNames, noLists } from '../../catalogue/canonical-names.ts';
import type { Catalogue, CatalogueView, NamedItem, NameLookup } from '../../catalogue/contract.ts';
import { createView } from '../../catalogue/view/view.ts';
import { canonicalId } from '../../catalogue/wire-name.ts';

/** Resolves tool names in calls over REST; rebuilt only when the catalogue changes. */
export class ApiNames {
  readonly #catalogue: () => Catalogue;
  readonly #configured: () => readonly string[];
  #known: { readonly of: Catalogue; readonly view: CatalogueView } | undefined;

  /** `configured`: the keys of all servers of the config. */
  constructor(catalogue: () => Catalogue, configured: () => readonly string[]) {
    this.#catalogue = catalogue;
    this.#configured = configured;
  }

  /** Resolves dotted, canonical and wire names of all tools. */
  get all(): CatalogueView {
    const of = this.#catalogue();
    if (this.#known?.of !== of) this.#known = { of, view: createView(of, canonicalNames) };
    return this.#known.view;
  }

  /** Finds a tool by its server key and raw name, even if they look like another kind of name. */
  find(serverKey: string, name: string): NameLookup {
    const { servers, off } = this.#catalogue();
    const on = servers.find(({ key }) => key === serverKey);
    const server = on ?? off.find(({ key }) => key === serverKey);
    const item = server?.offer.tools.find((tool) => tool.name === name);
    if (server === undefined || item === undefined) return this.named(canonicalId(serverKey, name));
    const target = { serverKey, name, wireName: canonicalId(serverKey, name), item };
    if (on === undefined) return { kind: 'server-off', target };
    if (on.disabledTools.has(name)) return { kind: 'disabled', target };
    return { kind: on.heldTools.has(name) ? 'held' : 'found', target };
  }

  /** The catalogue view for a call of this tool. */
  of(target: NamedItem): CatalogueView {
    const { all } = this;
    return {
      revision: all.revision,
      ...noLists,
      findTool: (requested) =>
        requested === target.wireName ? this.find(target.serverKey, target.name) : all.findTool(requested),
      findPrompt: (requested) => all.findPrompt(requested),
      findResource: (uri) => all.findResource(uri),
      wireUri: (key, uri) => all.wireUri(key, uri),
    };
  }

  /**
   * Resolves any kind of name. For a server that has never been listed, every name with its prefix may be
   * valid.
   */
  named(name: string): NameLookup {
    const found = this.all.findTool(name);
    if (found.kind !== 'unknown' || found.server !== undefined) return found;
    const server = this.#neverListed().find(
      (key) => name.startsWith(`${key}:`) || name.startsWith(`${key}.`),
    );
    return server === undefined ? found : { ...found, server };
  }

  /** Keys of configured servers that have never been listed. */
  #neverListed(): readonly string[] {
    const { servers, off } = this.#catalogue();
    const known = new Set([...servers, ...off].map(({ key }) => key));
    return this.#configured().filter((key) => !known.has(key));
  }
}
