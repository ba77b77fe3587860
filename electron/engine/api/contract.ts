import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApprovalRequest, Grant, GrantScope, Identity } from '../../../shared/model/access.ts';
import type { BreakerView } from '../../../shared/model/breaker.ts';
import type { SearchQuery, SearchResult } from '../../../shared/model/search.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { ToolDetail, ToolSummary } from '../../../shared/model/tool.ts';
import type { OperationInput, OperationOutput, OperationsBehind } from '../../../shared/operations/table.ts';
import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { RawMessage } from '../rpc/raw-message.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Answers requests whose path is the API's (see `api-path.ts`), after Host and Origin have been looked at. */
export interface Api {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Ends the streams that are open. */
  dispose(): void;
}

/** Who asks: whoever has the admin token, or an identity by a token of its own. */
export type ApiCaller =
  | { readonly kind: 'admin' }
  | { readonly kind: 'identity'; readonly id: string; readonly name: string };

/** What the registry knows of a server beside its view. */
export interface ServerRecord {
  /** Stays the same when the server is renamed. */
  readonly id: string;
  readonly key: string;
  /** Epoch milliseconds. */
  readonly registeredAt: number;
  readonly description?: string;
  readonly version?: string;
  readonly capabilities: readonly string[];
  /** By tool: the versions that are compatible. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
}

/** A tool that somebody registered by its definition, whether its server lists it or not. */
export interface DeclaredTool {
  readonly name: string;
  readonly schema: Entry;
  readonly version?: string;
  readonly enabled: boolean;
}

/** Stable ids and what was declared over the API. Rejects with ProblemError. */
export interface ServerRegistry {
  /** The records of these servers, in this order; made for those that have none. */
  records(keys: readonly string[]): Promise<readonly ServerRecord[]>;
  /** By id or key; also of one that is registered and not in the config. */
  find(idOrKey: string): Promise<ServerRecord | undefined>;
  save(
    key: string,
    facts: Partial<Pick<ServerRecord, 'description' | 'version' | 'capabilities' | 'versions'>>,
  ): Promise<ServerRecord>;
  /** Of one server, or of all. */
  declared(key?: string): Promise<ReadonlyMap<string, readonly DeclaredTool[]>>;
  declare(key: string, tools: readonly DeclaredTool[]): Promise<void>;
  /** Forgets one that is not in the config. */
  remove(key: string): Promise<void>;
}

/** As W3C Trace Context has it. */
export interface InvocationTrace {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** A call on its way to a tool, through all that a client's call goes through. */
export interface Invocation {
  readonly identityId: string;
  readonly serverKey: string;
  readonly tool: string;
  /** The JSON of the arguments as it came. */
  readonly argumentsText: string;
  readonly idempotencyKey?: string | undefined;
  readonly correlationId?: string | undefined;
  /** The trace that it is part of, by the request's own headers. */
  readonly trace?: InvocationTrace | undefined;
  readonly signal: AbortSignal;
}

export interface InvocationAnswer {
  readonly answer: RawMessage;
  readonly attempts: number;
  /** Milliseconds in all, and those that a server took. */
  readonly milliseconds: number;
  readonly executionMs: number;
  /** The server that answered. */
  readonly serverKey: string;
}

/** Why a call brought no result. */
export interface InvocationFailure {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
  /** The server's own error object as JSON text. */
  readonly wire?: string;
  readonly attempts: number;
  readonly milliseconds: number;
  /** Milliseconds after which a circuit is tried again. */
  readonly retryAfter?: number;
}

/** Where a name leads. */
export type ToolPlace =
  | {
      readonly kind: 'found' | 'disabled' | 'held' | 'server-off';
      readonly serverKey: string;
      readonly tool: string;
    }
  | { readonly kind: 'unlisted'; readonly serverKey: string }
  | { readonly kind: 'unknown' };

/** A call that is over. */
export interface CompletedCall {
  readonly correlationId: string;
  readonly identityId?: string;
  readonly serverKey: string;
  readonly tool: string;
  readonly success: boolean;
  readonly milliseconds: number;
  readonly attempts: number;
}

/** The part of a running hub that the API shows; see `Hub`. Its views hold no secrets that servers repeat. */
export interface ApiHub {
  /** Runs an operation in the name of the REST API. Rejects with ProblemError. */
  readonly run: <N extends OperationsBehind<'rest'>>(
    name: N,
    input: OperationInput<N>,
  ) => Promise<OperationOutput<N>>;
  servers(): readonly ServerView[];
  tools(): readonly ToolSummary[];
  tool(serverKey: string, name: string): ToolDetail;
  identities(): readonly Identity[];
  grants(identityId: string): readonly Grant[];
  approvals(): readonly ApprovalRequest[];
  breakers(): readonly BreakerView[];
  /** Returns the metrics in Prometheus' text format. */
  metricsText(): Promise<string>;
  find(query: SearchQuery, mayHave?: (serverKey: string, name: string) => boolean): Promise<SearchResult>;
  readonly onServers: Event<unknown>;
  readonly onTools: Event<unknown>;
}

/** All that the API stands on. */
export interface ApiPorts {
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hub: ApiHub;
  readonly registry: ServerRegistry;
  /** Whose token it is; in a time that says nothing about it. */
  identify(bearer: string): ApiCaller | undefined;
  /** The id of the identity that an administrator calls by its id or its name. */
  agent(idOrName: string): string | undefined;
  /** Whether the identity may call the tool, perhaps after somebody was asked. */
  mayCall(identityId: string, serverKey: string, tool: string): boolean;
  /** Where a name leads: dotted, canonical, or with its server the tool's own. */
  place(name: string, serverKey?: string): ToolPlace;
  /** Rejects with `InvocationRefused`. */
  invoke(call: Invocation): Promise<InvocationAnswer>;
  readonly onCompleted: Event<CompletedCall>;
  /** The identity of this id may do nothing any more, or nothing with the token that it had. */
  readonly onEnded: Event<string>;
  /** Whether there is what a grant is about; `ahead`: its server has never said what it offers. */
  grantTarget(scope: GrantScope): 'there' | 'ahead' | 'no-server' | 'no-tool';
  /** Whether a tool is one that needs a token by the document's rule. */
  isHighRisk(serverKey: string, tool: string): boolean;
  /** Milliseconds that a token for a tool lives, by default. */
  tokenTtl(): number;
  readonly onCircuits: Event<string>;
}
