import type { ClientView, NameStyle } from '../../../../shared/model/client/client.ts';
import type { HubIdentity } from '../../../../shared/model/client/initialize-result.ts';
import type { ListMethod } from '../../../../shared/model/mcp.ts';
import type { McpLogLevel } from '../../../../shared/model/server/log-levels.ts';
import type { StatedRisk } from '../../../../shared/model/tool/search.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable, Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type {
  Catalogue,
  CatalogueStore,
  CatalogueView,
  ClientProfile,
  ListPart,
  RawItem,
  ToolGate,
} from '../../catalogue/contract.ts';
import type { CompactChoice, ProfileChoice, Selection } from '../../catalogue/profiles.ts';
import type { RpcError } from '../../jsonrpc/message.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import type { Router } from '../../routing/router.ts';
import type { ServerRequests } from '../../routing/server-requests/server-requests.ts';
import type { Views } from './catalogue/views.ts';

/** Decides which parts of the catalogue clients get. */
export interface SessionProfiles {
  /** `asked` is a profile name. `clients` are names of the client, most reliable first. */
  choose(requested: string | undefined, clients: readonly string[]): ProfileChoice;
  select(catalogue: Catalogue, selection: Selection): Catalogue;
  /**
   * Returns how the list of tools is shortened; undefined if it is complete. `asked` means that the client's
   * entry or URL requests it.
   */
  compact(choice: ProfileChoice, clients: readonly string[], asked: boolean): CompactChoice | undefined;
  readonly onChange: Event<unknown>;
}

/** A tool found by search. */
export interface FoundTool {
  readonly serverKey: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly risk: StatedRisk;
}

/** The tools that may be found. */
export interface FindScope {
  readonly catalogue: Catalogue;
  readonly has: (serverKey: string, name: string) => boolean;
  readonly limit: number;
}

/** Searches tools; best matches first. */
export type ToolFinder = (query: string, scope: FindScope) => Promise<readonly FoundTool[]>;

/**
 * Returns what a client with this name has called lately, as `server:tool`, most used first. The same for a
 * day.
 */
export type ToolRanking = (client: string) => Promise<readonly string[]>;

/** The grants of one session's client. Before `initialize` the client has no identity and no grants. */
export interface SessionGrants extends Disposable {
  /** The client's identity; undefined while unknown. */
  readonly identityId: string | undefined;
  /** Called after `initialize`, with the client's names, most reliable first. */
  identify(names: readonly string[]): void;
  /** Returns the granted part of a catalogue; the same object for the same input. */
  select(catalogue: Catalogue): Catalogue;
  /** Checks whether it may use anything of this server. */
  mayUse(serverKey: string): boolean;
  /** Explains why nothing is granted, with the fix, as text. */
  explain(): string;
  /** Fires when the grants changed. */
  readonly onChange: Event<void>;
}

/** Identifies clients and their grants (REQ-MCP-AUTH-001). */
export interface SessionAccess {
  /** `identityId` is the identity whose own token was used. */
  open(sessionId: string, identityId: string | undefined): SessionGrants;
}

/** Services shared by all sessions of a program. */
export interface SessionServices {
  readonly catalogue: Pick<CatalogueStore, 'current' | 'onChange'>;
  /** Without it every client gets everything. */
  readonly profiles?: SessionProfiles;
  /** Without it everything is granted to every client. */
  readonly access?: SessionAccess;
  /** Checks the listings of a session's own processes; nothing is quarantined without it. */
  readonly gate?: ToolGate;
  readonly views: Views;
  /** Searches tools for clients with short lists; without it all lists are complete. */
  readonly find?: ToolFinder;
  readonly ranking?: ToolRanking;
  readonly router: Pick<Router, 'call' | 'calls'>;
  /** Connects the session to requests and notifications from servers. */
  readonly serverRequests: ServerRequests;
  /** Name style for clients that neither request one nor are known by `catalogue/client-facts`. */
  readonly programDefault: NameStyle;
  readonly identity: HubIdentity;
  /** `all` (default) announces every kind of list at once, for a hub whose servers come and go. */
  readonly advertise?: 'all' | 'offered';
  /**
   * Resolves when no server that was never listed is still starting, and the given list (or all lists) of
   * each is known as far as possible. The first list waits for it, with a timeout.
   */
  readonly ready?: (part?: ListPart) => Promise<void>;
  /**
   * Resolves when none of these servers, which were never listed, is worth waiting for any more. The first
   * lists wait for it as long as their client allows.
   */
  readonly listed?: (keys: () => readonly string[]) => Promise<void>;
  /**
   * Describes the state of the servers. With it, an empty list of tools contains the hub's status tool, which
   * returns this text.
   */
  readonly status?: () => string;
  /** Observes client requests other than tool calls, on the path of each request. */
  readonly onRequest?: (sessionId: string, method: string) => void;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Records the state of one session for the next hub. */
export interface SessionRecorder {
  /** Records the `initialize` params; resolves when they are written, or after a timeout. */
  recordInitialize(params: unknown): Promise<void>;
  /** Records the log level; resolves like {@link recordInitialize}. */
  recordLevel(level: McpLogLevel): Promise<void>;
  /** Records a subscription or its end; resolves like {@link recordInitialize}. */
  recordSubscription(uri: string, isOn: boolean): Promise<void>;
  /** Records that the client was sent a list. */
  recordList(method: ListMethod, digest: () => string): void;
}

/** State of a session, recorded by an earlier hub. */
export interface RecordedSession {
  readonly params: unknown;
  readonly level: McpLogLevel | undefined;
  readonly subscriptions: readonly string[];
  /** Digests of the client's lists. */
  readonly lists: readonly (readonly [ListMethod, string])[];
}

/** One client's connection. */
export interface SessionConnection {
  readonly transport: Transport;
  readonly via: ClientView['via'];
  /** Key of the only server that the client is connected to, as if directly; absent for all servers. */
  readonly only?: string | undefined;
  /** Requested by the client's own setting: `--names`, `?names=`. */
  readonly askedStyle?: NameStyle | undefined;
  /** Name of a profile, from the URL or the client's own setting. */
  readonly profile?: string | undefined;
  /** Requests a short list of tools, whatever the profile says. */
  readonly compact?: boolean | undefined;
  /** Id of the identity whose own token was used. */
  readonly identityId?: string | undefined;
  /** Records the session for the next hub. */
  readonly recorder?: SessionRecorder | undefined;
  /** State recorded by an earlier hub, if the client resumes a session. */
  readonly recorded?: RecordedSession | undefined;
  /** The bridge program, for `via: "bridge"`. */
  readonly bridge?: {
    readonly version: string;
    /** Client id from the client's config entry, if any. */
    readonly client?: string | undefined;
    /** Session id to which the bridge reconnects after losing its connection. */
    readonly session?: string | undefined;
    /** Checks whether the bridge still runs. */
    readonly isAlive?: () => Promise<boolean>;
  };
}

/** The lists that a session's client has, and would get now. */
export interface SessionSnapshot {
  readonly client: { readonly name: string; readonly title?: string };
  readonly profile: ClientProfile;
  readonly catalogue: Catalogue;
  readonly view: CatalogueView;
  /** The tools in the current list. */
  readonly tools: readonly RawItem[];
  /** Set if that list is a short one. */
  readonly compact: CompactChoice | undefined;
  /** The complete view. */
  readonly fullView: CatalogueView;
  /** Returns the tools in a short list besides the search, as `server:tool`, for these settings. */
  direct(choice: CompactChoice): readonly string[];
  /** The tools in the last list sent; undefined if the client got its list elsewhere, or none. */
  readonly clientTools: readonly RawItem[] | undefined;
  readonly hasToolList: boolean;
  readonly isStale: boolean;
  readonly clientRevision: number | undefined;
}

/** A client's live connection; ends when its transport ends or when it is closed. */
export interface Session {
  readonly id: string;
  /** Returns the current state for display. */
  view(): ClientView;
  /** Undefined before `initialize`. */
  readonly clientName: string | undefined;
  /** Prepares the client's list of tools. Undefined before `initialize`. */
  snapshot(): SessionSnapshot | undefined;
  /** Notifies the client again that its lists changed. */
  notifyAgain(): void;
  /**
   * Sends the client a request of the hub's own. Rejects with RpcError, at once if the client lacks the
   * capability.
   */
  ask(message: RawRequest, signal: AbortSignal): Promise<unknown>;
  /**
   * Returns the input schema of a tool as the client was listed it, or a promise of it while servers that may have
   * it are starting; undefined if nothing is known of it.
   */
  inputSchemaOf(tool: string): unknown;
  /** The client's identity; undefined while unknown. */
  readonly identityId: string | undefined;
  /**
   * Revokes the client's access: calls in progress get `why` as their error, and a client with its own token
   * is disconnected.
   */
  revoke(why: RpcError): Promise<void>;
  /** Fires when something in {@link view} changed. */
  readonly onChange: Event<void>;
  /** Fires once. */
  readonly onClosed: Event<void>;
  start(): Promise<void>;
  /** Aborts its calls with the error `why` and closes the connection; idempotent. */
  close(why?: RpcError): Promise<void>;
}
