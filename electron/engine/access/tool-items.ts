import type { Catalogue, RawItem } from '../catalogue/contract.ts';

type Items = ReadonlyMap<string, RawItem>;

/** Finds tools in catalogues by their original names. The indexes live as long as the lists. */
export class ToolItems {
  readonly #servers = new WeakMap<Catalogue, ReadonlyMap<string, readonly RawItem[]>>();
  readonly #lists = new WeakMap<readonly RawItem[], Items>();

  find(catalogue: Catalogue, serverKey: string, name: string): RawItem | undefined {
    const tools = this.#serversOf(catalogue).get(serverKey);
    return tools && this.#itemsOf(tools).get(name);
  }

  #serversOf(catalogue: Catalogue): ReadonlyMap<string, readonly RawItem[]> {
    const known = this.#servers.get(catalogue);
    if (known !== undefined) return known;
    const all = [...catalogue.servers, ...catalogue.off];
    const made = new Map(all.map(({ key, offer }) => [key, offer.tools]));
    this.#servers.set(catalogue, made);
    return made;
  }

  #itemsOf(tools: readonly RawItem[]): Items {
    const known = this.#lists.get(tools);
    if (known !== undefined) return known;
    const made = new Map(tools.map((item) => [String(item.name), item]));
    this.#lists.set(tools, made);
    return made;
  }
}
