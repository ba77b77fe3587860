import { isRecord } from '../../../../shared/json.ts';
import { announcedChanges } from '../modern/list-changes.ts';

const lists = ['tools', 'resources', 'prompts'] as const;

/** Lists that a server declares in its capabilities. */
export class DeclaredLists {
  #features: ReadonlySet<string> = new Set();
  #changes: readonly string[] = [];

  /** The list that a server exists for. */
  get mainList(): string {
    return `${lists.find((feature) => this.#features.has(feature)) ?? 'tools'}/list`;
  }

  /** Reads the result of `initialize`. */
  read(result: unknown): void {
    const capabilities = isRecord(result) && isRecord(result.capabilities) ? result.capabilities : {};
    this.#features = new Set(lists.filter((feature) => (capabilities[feature] ?? false) !== false));
    this.#changes = announcedChanges(capabilities).map(({ method }) => method);
  }

  /** Notifications with which the server announces changes of its lists. */
  get changes(): readonly string[] {
    return this.#changes;
  }

  /** Returns true if the server has this list; it has the main one even if it declares nothing. */
  includes(method: string): boolean {
    return method === this.mainList || this.#features.has(method.split('/', 1)[0] ?? '');
  }
}
