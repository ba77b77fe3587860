import type { Catalogue, CatalogueServer, RawItem } from '../../catalogue/contract.ts';
import type { AccessRules } from './rules.ts';

/**
 * The part of the catalogue that an identity may use, valid until its rules change or something expires: the
 * tools that it may call or ask for, and the other listings of their servers. Returns the same object for the
 * same catalogue, so that views are built once.
 */
export class GrantedPart {
  readonly #rules: AccessRules;
  readonly #now: number;
  readonly #isAll: boolean;
  readonly #catalogues = new WeakMap<Catalogue, Catalogue>();
  readonly #lists = new WeakMap<readonly RawItem[], readonly RawItem[]>();

  /** Uses the rules as of `now`. */
  constructor(rules: AccessRules, now: number) {
    this.#rules = rules;
    this.#now = now;
    this.#isAll = rules.passesAll(now);
  }

  select(catalogue: Catalogue): Catalogue {
    if (this.#isAll) return catalogue;
    const known = this.#catalogues.get(catalogue);
    if (known !== undefined) return known;
    const servers = catalogue.servers.flatMap((server) => this.#server(server));
    const off = catalogue.off.flatMap((server) => this.#server(server));
    const all = catalogue.silent ?? [];
    const silent = all.filter((key) => this.#rules.mayKnow(key, this.#now));
    const awaited = (catalogue.awaited ?? []).filter((key) => silent.includes(key));
    const isWhole = isSame(servers, catalogue.servers) && isSame(off, catalogue.off) && isSame(silent, all);
    const selected = isWhole ? catalogue : { ...catalogue, servers, off, silent, awaited };
    this.#catalogues.set(catalogue, selected);
    return selected;
  }

  /** Returns whether the identity may use everything of a server that has listed nothing yet. */
  passesServer(serverKey: string): boolean {
    return this.#isAll || this.#rules.passesServer(serverKey, this.#now);
  }

  #server(server: CatalogueServer): readonly CatalogueServer[] {
    const { key, offer } = server;
    const tools = this.#tools(key, offer.tools);
    if (tools.length === 0 && !this.#rules.passesServer(key, this.#now)) return [];
    return tools === offer.tools ? [server] : [{ ...server, offer: { ...offer, tools } }];
  }

  #tools(serverKey: string, tools: readonly RawItem[]): readonly RawItem[] {
    if (tools.length === 0) return tools;
    const known = this.#lists.get(tools);
    if (known !== undefined) return known;
    const granted = tools.filter((item) => this.#isGranted(serverKey, item));
    const list = granted.length === tools.length ? tools : granted;
    this.#lists.set(tools, list);
    return list;
  }

  #isGranted(serverKey: string, item: RawItem): boolean {
    return this.#rules.decide({ serverKey, name: String(item.name), item }, this.#now).effect !== 'deny';
  }
}

function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
