import type { Problem } from '../../../shared/error/problem.ts';
import type { NameStyle } from '../../../shared/model/client/client.ts';
import type { Event } from '../base/emitter.ts';

/**
 * An item that a server lists, exactly as sent, see `item-text.ts` for its text. Only its key member has been
 * checked to be a string.
 */
export type RawItem = Readonly<Record<string, unknown>>;

export type ListPart = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** The listing of one server, as it sent it. */
export interface ServerListing {
  readonly tools: readonly RawItem[];
  readonly resources: readonly RawItem[];
  readonly resourceTemplates: readonly RawItem[];
  readonly prompts: readonly RawItem[];
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  readonly protocolVersion: string;
  readonly instructions?: string;
  /** Declared lists that it has never answered. They are empty here but may have items. */
  readonly unlisted?: readonly ListPart[];
}

export const emptyListing: ServerListing = {
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
  readonly offer: ServerListing;
  /** True if it comes from the disk cache and the server has not been reached since the hub started. */
  readonly cached: boolean;
  /** Tools turned off by the user: absent from lists, refused when called. */
  readonly disabledTools: ReadonlySet<string>;
  /**
   * Quarantined tools, whose definitions nobody has approved: absent from lists, refused when called. See
   * {@link ToolGate}.
   */
  readonly heldTools: ReadonlySet<string>;
  /** Set if a gate has checked it, so that everything that is not quarantined is approved. */
  readonly judged?: true;
  /** Items that cannot be used, with the reason; the rest of the server is unaffected. */
  readonly setAside: readonly Problem[];
  /**
   * Items that violate the protocol's schema, with the form sent to clients that would otherwise refuse the
   * whole list.
   */
  readonly strict: ReadonlyMap<RawItem, RawItem>;
}

/** The listings of all servers, immutable, in config order. */
export interface Catalogue {
  /** Increases by one with each change of a list. */
  readonly revision: number;
  /** Servers that are turned on. */
  readonly servers: readonly CatalogueServer[];
  /**
   * Servers that are turned off, with their last listing. They are in no list, but a call to one of their
   * names can get the reason.
   */
  readonly off: readonly CatalogueServer[];
  /** Keys of servers that were never listed; names that look like theirs may be right. */
  readonly silent?: readonly string[];
  /** Keys of those that are turned on and still expected to be listed; until then lists are incomplete. */
  readonly awaited?: readonly string[];
  /** Digest of the config that defines the servers. */
  readonly config?: string | undefined;
  /** Set if the config could not be read: the servers are those of the last run and may be incomplete. */
  readonly isUnsure?: true;
}

export type ListKind = 'tools' | 'resources' | 'prompts';

/**
 * One event for a burst of changes, with the kinds of list that differ. There are none if only other things
 * changed: unusable items, server info, or that a server was reached.
 */
export interface CatalogueChange {
  readonly catalogue: Catalogue;
  readonly kinds: ReadonlySet<ListKind>;
}

/** Decides which tools clients may have. Everything that goes into a list or gets a name is checked. */
export interface ToolGate {
  /** Resolves when it can decide; earlier listings have to wait. */
  readonly ready: Promise<void>;
  /**
   * Returns the names of quarantined tools. Only the last call of each `asker` counts for what the user is
   * shown.
   */
  quarantine(serverKey: string, tools: readonly RawItem[], requester: object): ReadonlySet<string>;
  /** Fires with a server key when its quarantined tools changed. */
  readonly onChange: Event<string>;
}

/** Holds the current snapshot. */
export interface CatalogueStore {
  /** Always up to date, including changes that have not fired yet. */
  readonly current: Catalogue;
  /** Fires once per burst of real changes. */
  readonly onChange: Event<CatalogueChange>;
  /** Sets all servers in config order, with their disabled tools. Others are removed from the catalogue. */
  setServers(
    servers: readonly {
      readonly key: string;
      readonly enabled: boolean;
      readonly disabledTools: ReadonlySet<string>;
      /** The only enabled tools, if there is such a list. */
      readonly enabledTools?: ReadonlySet<string>;
    }[],
  ): void;
  /** Sets the digest of the config. */
  setConfigDigest(config: string): void;
  /** Sets a server's live listing. Items without a usable name are left out, but never the server. */
  setListing(key: string, offer: ServerListing): void;
  /**
   * Sets the keys of the servers that nobody needs to wait for: listed, failed, asleep or turned off. A
   * server that was never listed and is not among them is {@link Catalogue.awaited}.
   */
  setSettled(keys: ReadonlySet<string>): void;
  /**
   * Marks the servers as unsure because the config cannot be read; they stay in effect until `arrange` is
   * called again.
   */
  markUnsure(): void;
  /** Removes a server's listing: its tools leave all lists (a crash in the command; a removed server). */
  clearListing(key: string): void;
  /** Fires pending changes now instead of waiting for the end of the burst. */
  flush(): void;
  dispose(): void;
}

/** How names are sent to a client: from `client-facts.ts`, or a default. */
export interface ClientProfile {
  readonly style: NameStyle;
  /** Maximum name length for this client, without its own prefix. */
  readonly budget: number;
  /** The pattern that every sent name must match. */
  readonly pattern: RegExp;
  /** Number of tools beyond which this client has trouble; shown to the user. */
  readonly toolCap?: number;
  /** Milliseconds within which the first list must be answered before the client gives up. */
  readonly listTimeoutMs: number;
  /** False for clients that never update their first list. */
  readonly honoursListChanged: boolean;
  /** True for clients that refuse a whole list if one item violates the protocol's schema. */
  readonly isStrict: boolean;
  /** The pattern of all properties of an inputSchema, if the client loses a tool, or all, for another name. */
  readonly propertyNames?: RegExp;
}

/** The target of a name. */
export interface NamedItem {
  readonly serverKey: string;
  /** The raw name on its server. */
  readonly name: string;
  readonly wireName: string;
  readonly item: RawItem;
}

export type NameLookup =
  | { readonly kind: 'found'; readonly target: NamedItem }
  /** The tool is turned off by the user. */
  | { readonly kind: 'disabled'; readonly target: NamedItem }
  /** The tool is not in this profile, to which the client is limited. */
  | { readonly kind: 'outside'; readonly target: NamedItem; readonly profile: string }
  /** The tool was not granted to this client. The authorizer refuses a call to it. */
  | { readonly kind: 'denied'; readonly target: NamedItem }
  /** The tool is quarantined: its definition is not approved. */
  | { readonly kind: 'held'; readonly target: NamedItem }
  /** The whole server is turned off. */
  | { readonly kind: 'server-off'; readonly target: NamedItem }
  /** `server` is set if the name looks like one of a server that was never listed. */
  | { readonly kind: 'unknown'; readonly name: string; readonly server?: string };

/** The catalogue as one kind of client sees it; a pure function of catalogue and profile. */
export interface CatalogueView {
  readonly revision: number;
  /** False while servers are still expected to be listed; lists then say so. */
  readonly isComplete: boolean;
  /** Original objects, ready to send, with only the name replaced. */
  readonly tools: readonly RawItem[];
  readonly prompts: readonly RawItem[];
  readonly resources: readonly RawItem[];
  readonly resourceTemplates: readonly RawItem[];
  /** Items left out of the lists or claimed twice, with both owners named. */
  readonly problems: readonly Problem[];
  /** Finds a tool by its wire, canonical, dotted or safe name, or by its bare name if that is unambiguous. */
  findTool(name: string): NameLookup;
  findPrompt(name: string): NameLookup;
  /** Finds the server that owns a resource URI, directly or through a template, and the server's own URI. */
  findResource(uri: string): ResourceTarget | undefined;
  /** Returns this client's URI of a server's resource, for `notifications/resources/updated`. */
  wireUri(serverKey: string, uri: string): string;
}

/** The target of a resource URI: its server and the server's own URI. */
export interface ResourceTarget {
  readonly serverKey: string;
  readonly uri: string;
}
