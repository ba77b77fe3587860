import type { Catalogue, CatalogueServer } from '../../catalogue/contract.ts';
import type { SearchDocument } from '../contract.ts';

/** The parts of a server that its documents depend on. */
type Offered = Pick<CatalogueServer, 'disabledTools' | 'heldTools'> &
  Pick<CatalogueServer['offer'], 'tools' | 'prompts' | 'resources' | 'resourceTemplates'> & {
    readonly isOn: boolean;
    readonly title: string | undefined;
  };

type DocumentsOf = (server: CatalogueServer, isOn: boolean, title?: string) => readonly SearchDocument[];

/** The documents of all servers, rebuilt only where a listing has changed. */
export class ServerDocuments {
  readonly #kept = new Map<string, { readonly of: Offered; readonly documents: readonly SearchDocument[] }>();

  forget(): void {
    this.#kept.clear();
  }

  has(serverKey: string): boolean {
    return this.#kept.has(serverKey);
  }

  /** Returns no documents for an unknown server. */
  of(serverKey: string): readonly SearchDocument[] {
    return this.#kept.get(serverKey)?.documents ?? [];
  }

  /** Yields current values: a consumer that pauses sees documents that changed meanwhile. */
  *all(): Generator<readonly [serverKey: string, documents: readonly SearchDocument[]]> {
    for (const [key, { documents }] of this.#kept) yield [key, documents];
  }

  refresh(
    { servers, off }: Pick<Catalogue, 'servers' | 'off'>,
    documentsOf: DocumentsOf,
    titleOf: (serverKey: string) => string | undefined,
  ): void {
    const all = [
      ...servers.map((server) => [server, true] as const),
      ...off.map((server) => [server, false] as const),
    ];
    const keys = new Set(all.map(([{ key }]) => key));
    for (const key of this.#kept.keys()) if (!keys.has(key)) this.#kept.delete(key);
    for (const [server, isOn] of all) {
      const title = titleOf(server.key);
      const offered = offeredBy(server, isOn, title);
      const known = this.#kept.get(server.key);
      if (known !== undefined && isSame(known.of, offered)) continue;
      this.#kept.set(server.key, { of: offered, documents: documentsOf(server, isOn, title) });
    }
  }
}

function offeredBy(
  { offer, disabledTools, heldTools }: CatalogueServer,
  isOn: boolean,
  title: string | undefined,
): Offered {
  const { tools, prompts, resources, resourceTemplates } = offer;
  return { tools, prompts, resources, resourceTemplates, disabledTools, heldTools, isOn, title };
}

function isSame(one: Offered, other: Offered): boolean {
  const { disabledTools, heldTools, ...lists } = one;
  const isSameList = (key: keyof typeof lists) => one[key] === other[key];
  return (
    (Object.keys(lists) as (keyof typeof lists)[]).every(isSameList) &&
    isSameSet(disabledTools, other.disabledTools) &&
    isSameSet(heldTools, other.heldTools)
  );
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one === other || (one.size === other.size && [...one].every((name) => other.has(name)));
}

/** Tells whether a session's own process lists tools that the shared one does not. */
export function hasOwnTools({ key, offer }: CatalogueServer, { servers }: Catalogue): boolean {
  const shared = servers.find((server) => server.key === key)?.offer;
  if (shared === undefined || shared.tools === offer.tools) return false;
  const known = new Set(shared.tools.map(({ name }) => name));
  return offer.tools.some(({ name }) => !known.has(name));
}
