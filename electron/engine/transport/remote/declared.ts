import { isRecord } from '../../../../shared/json.ts';

const lists = ['tools', 'resources', 'prompts'] as const;

/** Which lists a server says that it has. */
export class Declared {
  #features: ReadonlySet<string> = new Set();

  /** The list without which there is nothing to use. */
  get mainList(): string {
    return `${lists.find((feature) => this.#features.has(feature)) ?? 'tools'}/list`;
  }

  /** `result` is that of `initialize`. */
  learn(result: unknown): void {
    const capabilities = isRecord(result) && isRecord(result.capabilities) ? result.capabilities : {};
    this.#features = new Set(lists.filter((feature) => (capabilities[feature] ?? false) !== false));
  }

  /** Whether a list belongs to what the server has; the main one does, even where it declares nothing. */
  includes(method: string): boolean {
    return method === this.mainList || this.#features.has(method.split('/', 1)[0] ?? '');
  }
}
