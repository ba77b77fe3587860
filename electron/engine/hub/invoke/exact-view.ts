import type {
  Catalogue,
  CatalogueServer,
  CatalogueView,
  ClientProfile,
  NamedItem,
  NameLookup,
} from '../../catalogue/contract.ts';
import { createView } from '../../catalogue/view.ts';
import { canonicalId } from '../../catalogue/wire-name.ts';

/** Names of the catalogue as calls over REST give them, made anew only when the catalogue is another one. */
export class ApiNames {
  readonly #catalogue: () => Catalogue;
  #known: { readonly of: Catalogue; readonly view: CatalogueView } | undefined;

  constructor(catalogue: () => Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Dotted, canonical and wire names of all tools. */
  get all(): CatalogueView {
    const of = this.#catalogue();
    if (this.#known?.of !== of) this.#known = { of, view: createView(of, canonicalNames) };
    return this.#known.view;
  }

  /** A tool by its server's key and its own name, whatever else either may be taken for. */
  find(serverKey: string, name: string): NameLookup {
    const { servers, off } = this.#catalogue();
    const on = servers.find(({ key }) => key === serverKey);
    const server = on ?? off.find(({ key }) => key === serverKey);
    const item = server?.offer.tools.find((tool) => tool.name === name);
    if (server === undefined || item === undefined) return this.#unknown(serverKey, name, server);
    const target = { serverKey, name, wireName: canonicalId(serverKey, name), item };
    if (on === undefined) return { kind: 'server-off', target };
    if (on.disabledTools.has(name)) return { kind: 'disabled', target };
    return { kind: on.heldTools.has(name) ? 'held' : 'found', target };
  }

  /** The view of a call of this one tool. */
  of(target: NamedItem): CatalogueView {
    const { all } = this;
    return {
      revision: all.revision,
      ...noLists,
      findTool: (told) =>
        told === target.wireName ? this.find(target.serverKey, target.name) : all.findTool(told),
      findPrompt: (told) => all.findPrompt(told),
      findResource: (uri) => all.findResource(uri),
      wireUri: (key, uri) => all.wireUri(key, uri),
    };
  }

  /** Of a server that has never said what it offers, any name may be right. */
  #unknown(serverKey: string, name: string, server: CatalogueServer | undefined): NameLookup {
    const canonical = canonicalId(serverKey, name);
    const found = this.all.findTool(canonical);
    const isUnlisted =
      server?.offer.tools.length === 0 || (found.kind === 'unknown' && found.server === serverKey);
    return { kind: 'unknown', name: canonical, ...(isUnlisted ? { server: serverKey } : {}) };
  }
}

/** Calls look names up; what all of them are is not asked for. */
const noLists = { tools: [], prompts: [], resources: [], resourceTemplates: [], problems: [] };

const canonicalNames: ClientProfile = {
  style: 'colon',
  budget: Number.POSITIVE_INFINITY,
  pattern: /^/,
  honoursListChanged: true,
  refusesUnfit: false,
};
