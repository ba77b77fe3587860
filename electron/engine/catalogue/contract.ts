import type { Problem } from '../../../shared/error/problem.ts';
import type { NameStyle } from '../../../shared/model/client.ts';
import type { Event } from '../base/emitter.ts';

/**
 * Anything a server lists, exactly as it sent it, see `item-text.ts` for its text; only the key it is known by has been
 * checked to be text.
 */
export type RawItem = Readonly<Record<string, unknown>>;

export type OfferPart = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** What one server offers, as it sent it. */
export interface Offer {
  readonly tools: readonly RawItem[];
  readonly resources: readonly RawItem[];
  readonly resourceTemplates: readonly RawItem[];
  readonly prompts: readonly RawItem[];
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  readonly protocolVersion: string;
  readonly instructions?: string;
  /** Declared lists that it has never answered: they are empty here, and need not be. */
  readonly unlisted?: readonly OfferPart[];
}

export const emptyOffer: Offer = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  capabilities: {},
  serverInfo: {},
  protocolVersion: '',
};

export interface CatalogueServer {
  readonly key: string;
  readonly offer: Offer;
  /** From the disk cache: the server has not been reached yet since the hub started. */
  readonly cached: boolean;
  /** Tools switched off by the user: absent from lists, refused at call time. */
  readonly disabledTools: ReadonlySet<string>;
  /** Tools whose definitions nobody has approved: absent from lists, refused at call time. See {@link ToolGate}. */
  readonly heldTools: ReadonlySet<string>;
  /** A gate has judged it: what is not held is approved. */
  readonly judged?: true;
  /** Items set aside, with the reason; the rest of the server is unharmed. */
  readonly setAside: readonly Problem[];
  /**
   * Items of the offer that break the protocol's own schema, each with the form in which clients get it that refuse a whole
   * list for one of them.
   */
  readonly strict: ReadonlyMap<RawItem, RawItem>;
}

/** What all servers offer, immutable. Servers stand in config order. */
export interface Catalogue {
  /** Grows by one with each change of a list. */
  readonly revision: number;
  /** Those that are switched on. */
  readonly servers: readonly CatalogueServer[];
  /**
   * Those that are switched off, with what they offered last. Nothing of them is in any list, but a call by one of
   * their names can be told why it fails.
   */
  readonly off: readonly CatalogueServer[];
  /** Keys of servers that have never said what they offer: what is called as theirs may be right. */
  readonly silent?: readonly string[];
  /** Keys of those of them that are switched on and are still expected to say it: lists are not whole before they have. */
  readonly awaited?: readonly string[];
  /** Digest of the config that says which servers there are. */
  readonly config?: string | undefined;
  /** Which servers there are is not known: what is here was offered when a hub ran last, and may be a part. */
  readonly isUnsure?: true;
}

export type ListKind = 'tools' | 'resources' | 'prompts';

/**
 * One notice for a burst of changes: which kinds of list now differ. None where only something beside the lists does:
 * what was set aside, what a server says of itself, that it has now been reached.
 */
export interface CatalogueChange {
  readonly catalogue: Catalogue;
  readonly kinds: ReadonlySet<ListKind>;
}

/** Decides which tools clients may have. Everything that becomes a list or a name passes through it. */
export interface ToolGate {
  /** Resolves when it can judge; what is listed before has to wait. */
  readonly ready: Promise<void>;
  /** Names of those that are held. What `asker` asked for last is what counts of it, for telling the user. */
  held(serverKey: string, tools: readonly RawItem[], asker: object): ReadonlySet<string>;
  /** Of the server of this key others are held now. */
  readonly onChange: Event<string>;
}

/** Holds the current snapshot. */
export interface CatalogueStore {
  /** Always up to date: what was set a moment ago is already in it. */
  readonly current: Catalogue;
  /** Fires once per coalesced, true change. */
  readonly onChange: Event<CatalogueChange>;
  /** All servers in config order, with each one's switched-off tools. Others leave the catalogue. */
  arrange(
    servers: readonly {
      readonly key: string;
      readonly enabled: boolean;
      readonly disabledTools: ReadonlySet<string>;
      /** The only tools that are on, where there is such a list. */
      readonly enabledTools?: ReadonlySet<string>;
    }[],
  ): void;
  /** Digest of the config that says so. */
  about(config: string): void;
  /** What a server offers now, live. Items without a usable name are set aside, never the server. */
  setOffer(key: string, offer: Offer): void;
  /**
   * Keys of the servers that nobody need wait for: listed, failed, asleep or switched off. One that was never listed and is
   * not among them is {@link Catalogue.awaited}.
   */
  settle(keys: ReadonlySet<string>): void;
  /** The config cannot be read: until `arrange` is called again, what was known stays in force and is marked as unsure. */
  doubt(): void;
  /** Forget what a server offered: its tools leave all lists (a crash in the command; a removed server). */
  clearOffer(key: string): void;
  /** Fires pending changes now instead of waiting for more of the burst. */
  flush(): void;
  dispose(): void;
}

/** How one client is to be told names: one row of the client table. */
export interface ClientProfile {
  readonly style: NameStyle;
  /** Longest name in characters that this client can use, its own prefix taken off. */
  readonly budget: number;
  /** The rule each sent name is checked against before it leaves. */
  readonly pattern: RegExp;
  /** Tools beyond this number are trouble for this client; for telling the user. */
  readonly toolCap?: number;
  /** Milliseconds in which a first list must be answered, lest the client gives up on its start. */
  readonly listPatience: number;
  /** False for clients that keep their first list whatever is announced. */
  readonly honoursListChanged: boolean;
  /** True for clients known to refuse a whole list for one item that breaks the protocol's schema. */
  readonly refusesUnfit: boolean;
}

/** Where a name leads. */
export interface NamedItem {
  readonly serverKey: string;
  /** The raw name at its server. */
  readonly name: string;
  readonly wireName: string;
  readonly item: RawItem;
}

export type NameLookup =
  | { readonly kind: 'found'; readonly target: NamedItem }
  /** Known, but switched off by the user. */
  | { readonly kind: 'disabled'; readonly target: NamedItem }
  /** Known, but not in the profile of this name, which is all that the client gets. */
  | { readonly kind: 'outside'; readonly target: NamedItem; readonly profile: string }
  /** Known, but nothing that this client was granted. A call of it is refused by whoever decides about calls. */
  | { readonly kind: 'denied'; readonly target: NamedItem }
  /** Known, but its definition is not approved. */
  | { readonly kind: 'held'; readonly target: NamedItem }
  /** Known, but its whole server is turned off. */
  | { readonly kind: 'server-off'; readonly target: NamedItem }
  /** `server`: it begins like the names of a server that has never said what it offers. */
  | { readonly kind: 'unknown'; readonly name: string; readonly server?: string };

/** The catalogue as one kind of client sees it; derived purely from (catalogue, profile). */
export interface CatalogueView {
  readonly revision: number;
  /** False while servers are still expected to say what they offer: then the lists say so. */
  readonly isWhole: boolean;
  /** Ready to send: original objects with only the name replaced. */
  readonly tools: readonly RawItem[];
  readonly prompts: readonly RawItem[];
  readonly resources: readonly RawItem[];
  readonly resourceTemplates: readonly RawItem[];
  /** Left out of the lists or claimed twice, with both owners named. */
  readonly problems: readonly Problem[];
  /** Wire, canonical, dotted and safe names, and a bare name where it is unambiguous. */
  findTool(name: string): NameLookup;
  findPrompt(name: string): NameLookup;
  /** The server that owns a resource URI, as listed or through a template; and the URI it knows it by. */
  findResource(uri: string): ResourceTarget | undefined;
  /** What this client is told a server's resource is called: for `notifications/resources/updated`. */
  wireUri(serverKey: string, uri: string): string;
}

/** Where a resource URI leads: the server that owns it, and the URI it knows it by. */
export interface ResourceTarget {
  readonly serverKey: string;
  readonly uri: string;
}
