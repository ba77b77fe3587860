import { digestOfText } from '../../base/digest.ts';
import type { RawItem } from '../../catalogue/contract.ts';
import { canonicalText } from './canonical-text.ts';
import type { Definition } from './contract.ts';

/** Definitions of listed tools. An item that is listed again is the same object, so it is read only once. */
export class Definitions {
  readonly #known = new WeakMap<RawItem, Definition>();

  of(tools: readonly RawItem[]): readonly Definition[] {
    return tools.flatMap((item) => (typeof item.name === 'string' ? [this.#define(item, item.name)] : []));
  }

  #define(item: RawItem, name: string): Definition {
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const definition = { name, item, digest: digestOfText(canonicalText(item)) };
    this.#known.set(item, definition);
    return definition;
  }
}
