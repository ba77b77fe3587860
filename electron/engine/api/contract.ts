import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApprovalRequest, Grant, GrantScope, Identity } from '../../../shared/model/access/access.ts';
import type { BreakerView } from '../../../shared/model/activity/breaker.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import type { SearchQuery, SearchResult } from '../../../shared/model/tool/search.ts';
import type { ToolDetail, ToolSummary } from '../../../shared/model/tool/tool.ts';
import type { OperationInput, OperationOutput, OperationsBehind } from '../../../shared/operations/table.ts';
import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Answers requests to API paths (see `api-path.ts`) after the check of Host and Origin. */
export interface Api {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Closes open event streams. */
  dispose(): void;
}

/** The caller: an administrator with the admin token, or an identity with its own token. */
export type ApiCaller =
  | { readonly kind: 'admin' }
  | { readonly kind: 'identity'; readonly id: string; readonly name: string };

/** Registered facts about a server, in addition to its view. */
export interface ServerRecord {
  /** Stays the same when the server is renamed. */
  readonly id: string;
  readonly key: string;
  /** Epoch milliseconds. */
  readonly registeredAt: number;
  readonly description?: string;
  readonly version?: string;
  readonly capabilities: readonly string[];
  /** By tool: the compatible versions. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
}

/** A tool registered with its definition, whether or not its server lists it. */
export interface DeclaredTool {
  readonly name: string;
  readonly schema: Entry;
  readonly version?: string;
  readonly enabled: boolean;
}

/** Stable server ids and declarations made over the API. Methods reject with ProblemError. */
export interface ServerRegistry {
  /** Returns the records of these servers in this order; creates missing ones. */
  records(keys: readonly string[]): Promise<readonly ServerRecord[]>;
  /** Finds by id or key, including registered servers that are not in the config. */
  find(idOrKey: string): Promise<ServerRecord | undefined>;
  save(
    key: string,
    facts: Partial<Pick<ServerRecord, 'description' | 'version' | 'capabilities' | 'versions'>>,
  ): Promise<ServerRecord>;
  /** Returns the declared tools of one server, or of all. */
  declared(key?: string): Promise<ReadonlyMap<string, readonly DeclaredTool[]>>;
  declare(key: string, tools: readonly DeclaredTool[]): Promise<void>;
  /** Forgets a server that is not in the config. */
  remove(key: string): Promise<void>;
}

/** W3C Trace Context. */
export interface InvocationTrace {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** A tool call, which passes the same checks as a client's call. */
export interface Invocation {
  readonly identityId: string;
  readonly serverKey: string;
  readonly tool: string;
  /** The JSON of the arguments, unchanged. */
  readonly argumentsText: string;
  readonly idempotencyKey?: string | undefined;
  readonly correlationId?: string | undefined;
  /** The trace context from the request's headers. */
  readonly trace?: InvocationTrace | undefined;
  readonly signal: AbortSignal;
}

export interface InvocationAnswer {
  readonly answer: RawMessage;
  readonly attempts: number;
  /** Milliseconds in total, and those spent by a server. */
  readonly milliseconds: number;
  readonly executionMs: number;
  /** The server that answered. */
  readonly serverKey: string;
}

/** Reason why a call had no result. */
export interface InvocationFailure {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
  /** The server's own error object as JSON text. */
  readonly wire?: string;
  readonly attempts: number;
  readonly milliseconds: number;
  /** Milliseconds until the circuit is tried again. */
  readonly retryAfter?: number;
}

/** Resolution of a tool name. */
export type ToolResolution =
  | {
      readonly kind: 'found' | 'disabled' | 'held' | 'server-off';
      readonly serverKey: string;
      readonly tool: string;
    }
  | { readonly kind: 'unlisted'; readonly serverKey: string }
  | { readonly kind: 'unknown' };

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
  /** Clients that are connected. */
  clients(): readonly ClientView[];
  grants(identityId: string): readonly Grant[];
  approvals(): readonly ApprovalRequest[];
  breakers(): readonly BreakerView[];
  /** Returns the metrics in Prometheus' text format. */
  metricsText(): Promise<string>;
  find(query: SearchQuery, mayHave?: (serverKey: string, name: string) => boolean): Promise<SearchResult>;
  readonly onServers: Event<unknown>;
  readonly onTools: Event<unknown>;
}

/** Everything the API depends on. */
export interface ApiPorts {
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hub: ApiHub;
  readonly registry: ServerRegistry;
  /** Returns the owner of a token, in constant time. */
  identify(bearer: string): ApiCaller | undefined;
  /** Returns the id of an identity, given its id or name. */
  agent(idOrName: string): string | undefined;
  /** Tells whether the identity may call the tool, possibly after an approval. */
  mayCall(identityId: string, serverKey: string, tool: string): boolean;
  /** Resolves a dotted or canonical name, or a raw tool name with its server. */
  place(name: string, serverKey?: string): ToolResolution;
  /** Rejects with `InvocationRefused`. */
  invoke(call: Invocation): Promise<InvocationAnswer>;
  readonly onCompleted: Event<CompletedCall>;
  /** Fires with the id of an identity that has lost its access or its token. */
  readonly onEnded: Event<string>;
  /** Checks the target of a grant; `ahead`: its server has never been listed. */
  grantTarget(scope: GrantScope): 'there' | 'ahead' | 'no-server' | 'no-tool';
  /** Tells whether a tool needs a token by the document's rule. */
  isHighRisk(serverKey: string, tool: string): boolean;
  /** Returns the default lifetime of a tool token in milliseconds. */
  tokenTtl(): number;
  readonly onCircuits: Event<string>;
}
