import type { CallListener, CallRecord, UnroutableCall } from '../../routing/contract.ts';
import { hubSessionId } from '../../routing/contract.ts';
import { type CallStatus, callStatuses, statusOf } from './call-status.ts';
import { type ErrorType, errorTypeOf } from './error-type.ts';

type StatusCounts = Record<CallStatus, number>;

/** Counters of one tool. */
export interface ToolCounters {
  readonly serverId: string;
  readonly toolName: string;
  /** By agent: the number of calls with each status. */
  readonly byAgent: ReadonlyMap<string, Readonly<StatusCounts>>;
  /** Calls per bucket of {@link latencyBounds}; the last element counts those above all bounds. */
  readonly levels: readonly number[];
  readonly milliseconds: number;
  readonly retries: number;
  readonly errors: ReadonlyMap<ErrorType, number>;
}

/** Defined by the integration design, in milliseconds. */
export const latencyBounds = [10, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const;

/** Label for everything beyond the limits on distinct labels. */
export const otherLabel = 'other';

interface Counters {
  readonly serverId: string;
  readonly toolName: string;
  readonly byAgent: Map<string, StatusCounts>;
  readonly levels: number[];
  milliseconds: number;
  retries: number;
  readonly errors: Map<ErrorType, number>;
}

/**
 * Counts calls by tool and by agent (REQ-MCP-OBS-001). Runs for every call, so it only adds up; output is
 * built on request. Beyond a limit, further tools and agents share one counter.
 */
export class CallCounters implements CallListener {
  readonly #agentOf: (sessionId: string) => string;
  readonly #servers = new Map<string, Map<string, Counters>>();
  readonly #agents = new Set<string>();
  #tools = 0;

  constructor(agentOf: (sessionId: string) => string) {
    this.#agentOf = agentOf;
  }

  ended(call: CallRecord): void {
    if (call.method !== 'tools/call' || call.sessionId === hubSessionId) return;
    const { serverKey, name = '', startedAt, endedAt = startedAt, attempts, outcome } = call;
    const counting = this.#servers.get(serverKey)?.get(name) ?? this.#begin(serverKey, name);
    const status = statusOf(call);
    this.#count(counting, call.sessionId)[status] += 1;
    if (attempts > 1) counting.retries += attempts - 1;
    // A cancelled call is no error.
    if (status !== 'success' && status !== 'cancelled')
      countError(counting, errorTypeOf(call.error, outcome));
    // A call that no server received has no latency.
    if (attempts === 0) return;
    const milliseconds = Math.max(0, endedAt - startedAt - call.humanWaitMs);
    counting.milliseconds += milliseconds;
    const level = bucketOf(milliseconds);
    counting.levels[level] = (counting.levels[level] ?? 0) + 1;
  }

  /** Counts unknown names under one label: callers could make up any number of them. */
  unroutable({ sessionId, request, error }: UnroutableCall): void {
    if (request.method !== 'tools/call' || sessionId === hubSessionId) return;
    const counting = this.#servers.get('')?.get(otherLabel) ?? this.#begin('', otherLabel);
    this.#count(counting, sessionId).refused += 1;
    countError(counting, errorTypeOf(error, 'refused'));
  }

  /** Returns the current counters. */
  all(): readonly ToolCounters[] {
    return [...this.#servers.values()].flatMap((tools) => [...new Set(tools.values())]);
  }

  #count(counting: Counters, sessionId: string): StatusCounts {
    const name = this.#agentOf(sessionId);
    const found = counting.byAgent.get(name);
    if (found !== undefined) return found;
    const isKnown = this.#agents.has(name) || this.#agents.size < maxAgents;
    if (isKnown) this.#agents.add(name);
    const label = isKnown ? name : otherLabel;
    const made = counting.byAgent.get(label) ?? zeroCounts();
    counting.byAgent.set(label, made);
    return made;
  }

  #begin(serverKey: string, name: string): Counters {
    const tools = this.#servers.get(serverKey) ?? new Map<string, Counters>();
    if (this.#servers.size < maxServers) this.#servers.set(serverKey, tools);
    else if (!this.#servers.has(serverKey)) return this.#overflow(otherLabel, otherLabel);
    if (this.#tools >= maxTools) return this.#overflow(serverKey, otherLabel);
    this.#tools += 1;
    return this.#put(tools, serverKey, name);
  }

  #overflow(serverKey: string, name: string): Counters {
    const tools = this.#servers.get(serverKey) ?? new Map<string, Counters>();
    this.#servers.set(serverKey, tools);
    return tools.get(name) ?? this.#put(tools, serverKey, name);
  }

  #put(tools: Map<string, Counters>, serverId: string, toolName: string): Counters {
    const levels = Array.from({ length: latencyBounds.length + 1 }, () => 0);
    const made = {
      serverId,
      toolName,
      levels,
      byAgent: new Map(),
      errors: new Map(),
      milliseconds: 0,
      retries: 0,
    };
    tools.set(toolName, made);
    return made;
  }
}

const maxServers = 200;
const maxTools = 1_000;
const maxAgents = 100;

function zeroCounts(): StatusCounts {
  // Keeps the order of the statuses, so that all objects have one shape.
  return Object.fromEntries(callStatuses.map((status) => [status, 0])) as StatusCounts;
}

function countError({ errors }: Counters, type: ErrorType): void {
  errors.set(type, (errors.get(type) ?? 0) + 1);
}

function bucketOf(milliseconds: number): number {
  let level = 0;
  for (const bound of latencyBounds) {
    if (milliseconds <= bound) return level;
    level += 1;
  }
  return level;
}
