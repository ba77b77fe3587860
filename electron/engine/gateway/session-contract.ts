import type { ClientView, NameStyle } from '../../../shared/model/client.ts';
import type { HubIdentity } from '../../../shared/model/greeting.ts';
import type { StatedRisk } from '../../../shared/model/search.ts';
import type { ListMethod } from '../../../shared/schema/bridge-hello.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type {
  Catalogue,
  CatalogueStore,
  CatalogueView,
  ClientProfile,
  OfferPart,
  RawItem,
  ToolGate,
} from '../catalogue/contract.ts';
import type { CompactChoice, ProfileChoice, Selection } from '../catalogue/profiles.ts';
import type { Backchannel, McpLogLevel } from '../route/backchannel-contract.ts';
import type { Router } from '../route/contract.ts';
import type { RpcError } from '../rpc/message.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import type { Transport } from '../rpc/transport.ts';
import type { Views } from './views.ts';

/** Which parts of the catalogue clients get. */
export interface SessionProfiles {
  /** `asked`: a profile by name. `clients`: what the client is known as, the surest first. */
  choose(asked: string | undefined, clients: readonly string[]): ProfileChoice;
  select(catalogue: Catalogue, selection: Selection): Catalogue;
  /** How the list of tools is kept short; undefined where it is whole. `asked`: its entry or its address says so. */
  compact(choice: ProfileChoice, clients: readonly string[], asked: boolean): CompactChoice | undefined;
  readonly onChange: Event<unknown>;
}

/** A tool that was found by words. */
export interface FoundTool {
  readonly serverKey: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly risk: StatedRisk;
}

/** What of everything that is offered may be found. */
export interface FindScope {
  readonly catalogue: Catalogue;
  readonly has: (serverKey: string, name: string) => boolean;
  readonly limit: number;
}

/** Finds tools by words, the best first. */
export type ToolFinder = (query: string, scope: FindScope) => Promise<readonly FoundTool[]>;

/** What a client of this name has called lately, as `server:tool`, what it called most first. The same for a day. */
export type ToolRanking = (client: string) => Promise<readonly string[]>;

/** What the client of one session was granted. It is nobody before it has introduced itself, and has nothing. */
export interface SessionGrants extends Disposable {
  /** Id of who it is; undefined while it is nobody. */
  readonly identityId: string | undefined;
  /** It has said who it is: what it is known as, the surest first. */
  introduce(names: readonly string[]): void;
  /** The part of a catalogue that it may have; the same for the same. */
  select(catalogue: Catalogue): Catalogue;
  /** Whether it may have anything of this server. */
  mayUse(serverKey: string): boolean;
  /** Why it has nothing, and the fix, as text. */
  explain(): string;
  /** It may have other things now. */
  readonly onChange: Event<void>;
}

/** Knows who clients are and what they were granted (REQ-MCP-AUTH-001). */
export interface SessionAccess {
  /** `identityId`: whose token of its own it came with. */
  open(sessionId: string, identityId: string | undefined): SessionGrants;
}

/** What all sessions of a program share. */
export interface SessionSurroundings {
  readonly catalogue: Pick<CatalogueStore, 'current' | 'onChange'>;
  /** Without them every client gets everything. */
  readonly profiles?: SessionProfiles;
  /** Without it every client may have everything. */
  readonly access?: SessionAccess;
  /** Judges what a session's own processes offer; nothing is held without it. */
  readonly gate?: ToolGate;
  readonly views: Views;
  /** Searches for clients with short lists; without it all lists are whole. */
  readonly find?: ToolFinder;
  readonly ranking?: ToolRanking;
  readonly router: Router;
  /** Joins the session to what servers ask and say of their own accord. */
  readonly backchannel: Backchannel;
  /** Name style for clients that neither ask for one nor are in the client table. */
  readonly programDefault: NameStyle;
  readonly identity: HubIdentity;
  /** `all` (default): announces every kind of list at once, for a hub whose servers come and go. */
  readonly advertise?: 'all' | 'offered';
  /**
   * Resolves when no server that was never listed is still starting, and this list of each, or all of them, is known as far
   * as it can be; the first list waits for it, bounded.
   */
  readonly ready?: (part?: OfferPart) => Promise<void>;
  /**
   * Resolves when none of these servers, which have never said what they offer, is worth waiting for any more; the first
   * lists wait for it, as long as their client allows.
   */
  readonly listed?: (keys: () => readonly string[]) => Promise<void>;
  /** How the servers are, as text; with it an empty list of tools holds the hub's own, which tells it. */
  readonly status?: () => string;
  /** Hears what clients ask, but for calls of tools. On the path of each request. */
  readonly heard?: (sessionId: string, method: string) => void;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Notes of one session, for the hub that comes after. */
export interface SessionNotes {
  /** Notes the params of the client's `initialize`; resolves when they are written, or after a moment. */
  greeted(params: unknown): Promise<void>;
  /** Notes the log level, and resolves as {@link greeted} does. */
  level(level: McpLogLevel): Promise<void>;
  /** Notes a subscription or its end, and resolves as {@link greeted} does. */
  subscribed(uri: string, isOn: boolean): Promise<void>;
  /** Notes that the client was sent a list. */
  listed(method: ListMethod, digest: () => string): void;
  /** Notes that the client is still there. */
  seen(): void;
}

/** Notes of an earlier hub about a session. */
export interface SessionPast {
  readonly params: unknown;
  readonly level: McpLogLevel | undefined;
  readonly subscriptions: readonly string[];
  /** Digests of the lists that its client holds. */
  readonly lists: readonly (readonly [ListMethod, string])[];
}

/** One client's connection. */
export interface SessionConnection {
  readonly transport: Transport;
  readonly via: ClientView['via'];
  /** Key of the one server that the client is connected to, as if directly; all of them if absent. */
  readonly only?: string;
  /** Asked for by the client's own setting: `--names`, `?names=`. */
  readonly askedStyle?: NameStyle;
  /** Name of a profile, from the address or the client's own setting. */
  readonly profile?: string;
  /** Wants a short list of tools, whatever its profile says. */
  readonly compact?: boolean;
  /** Id of the identity whose own token it came with. */
  readonly identityId?: string;
  /** Notes for the next hub of what the client does. */
  readonly notes?: SessionNotes;
  /** Notes of an earlier hub, where the client goes on with a session from there. */
  readonly past?: SessionPast;
  /** The program in between, for `via: "bridge"`. */
  readonly bridge?: {
    readonly version: string;
    /** Id of the client, where its entry says so. */
    readonly client?: string;
    /** Under which it comes back when it loses its connection. */
    readonly session?: string;
    /** Whether it still runs. */
    readonly isAlive?: () => Promise<boolean>;
  };
}

/** What a session knows of what its client holds, and would get. */
export interface SessionTruth {
  readonly client: { readonly name: string; readonly title?: string };
  readonly profile: ClientProfile;
  readonly catalogue: Catalogue;
  readonly view: CatalogueView;
  /** The tools that it would be told now. */
  readonly tools: readonly RawItem[];
  /** Where that list is a short one; undefined where it is whole. */
  readonly compact: CompactChoice | undefined;
  /** All that it may have. */
  readonly whole: CatalogueView;
  /** What stands in a short list beside the search, by `server:tool`, for some settings. */
  direct(choice: CompactChoice): readonly string[];
  /** Those that it was told last; undefined where it was told elsewhere, or not at all. */
  readonly heldTools: readonly RawItem[] | undefined;
  readonly holdsTools: boolean;
  readonly isStale: boolean;
  readonly heldRevision: number | undefined;
}

/** A live connection of a client; ends when its transport ends or when it is closed. */
export interface Session {
  readonly id: string;
  /** The session as people see it, now. */
  view(): ClientView;
  /** Undefined before it has introduced itself. */
  truth(): SessionTruth | undefined;
  /** Tells it again that its lists are others now. */
  remind(): void;
  /** Asks its client something of the hub's own; rejects with RpcError, at once where it has not said that it can do this. */
  ask(message: RawRequest, signal: AbortSignal): Promise<unknown>;
  /** Ends a call under way; false where it is not. The client is answered with `why`, the server told to stop. */
  stopCall(message: RawRequest, why: RpcError): boolean;
  /** Who its client is, by id; undefined while that is not known. */
  readonly identityId: string | undefined;
  /** Its client may do nothing any more: what is under way is answered with `why`, and one with a token of its own is cut. */
  cut(why: RpcError): Promise<void>;
  /** Something in {@link view} changed. */
  readonly onChange: Event<void>;
  /** Fires once. */
  readonly onClosed: Event<void>;
  start(): Promise<void>;
  /** Aborts its calls, which are answered with `why`, and ends the connection; idempotent. */
  close(why?: RpcError): Promise<void>;
}
