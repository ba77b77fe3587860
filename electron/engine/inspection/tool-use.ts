import { proofMember } from '../../../shared/model/client/proof.ts';
import { isConnectionTest } from '../activity/worker/connection-test.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { RawRequest } from '../jsonrpc/raw-message.ts';
import type { CallListener, CallRecord } from '../routing/contract.ts';
import { hubSessionId } from '../routing/contract.ts';
import { type ToolUse, type ToolUses, usageDays } from './tool-uses.ts';

export interface ToolUseCounterOptions {
  readonly clock: Clock;
  readonly store: ToolUses;
  /** Returns the client name of a session; undefined if it is not a client's. */
  readonly clientName: (sessionId: string) => string | undefined;
}

/** Counts which client calls which tool, by day. Costs each call one increment. */
export class ToolUseCounter implements CallListener, Disposable {
  readonly #options: ToolUseCounterOptions;
  /** Client -> server -> tool -> calls since the last flush. */
  #counts = new Map<string, Map<string, Map<string, number>>>();
  /** Session id -> client name, cached until the next flush. */
  readonly #names = new Map<string, string | undefined>();
  #timer: Disposable | undefined;

  constructor(options: ToolUseCounterOptions) {
    this.#options = options;
  }

  started({ sessionId, serverKey, name, method, request }: CallRecord): void {
    if (method !== 'tools/call' || name === undefined || sessionId === hubSessionId) return;
    if (isTestCall(request)) return;
    const client = this.#nameOf(sessionId);
    if (client === undefined) return;
    const tools = mapAt(mapAt(this.#counts, client), serverKey);
    tools.set(name, (tools.get(name) ?? 0) + 1);
    this.#timer ??= this.#options.clock.after(gatherMs, () => this.flush());
  }

  /** Stores what was counted so far. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const counts = this.#counts;
    this.#counts = new Map();
    this.#names.clear();
    const { clock, store } = this.#options;
    const day = dayOf(clock.now());
    const uses: ToolUse[] = [];
    for (const [client, servers] of counts)
      for (const [serverKey, tools] of servers)
        for (const [name, calls] of tools) uses.push({ day, client, serverKey, name, calls });
    if (uses.length > 0) store.add(uses);
  }

  dispose(): void {
    this.flush();
  }

  #nameOf(sessionId: string): string | undefined {
    if (this.#names.has(sessionId)) return this.#names.get(sessionId);
    const name = this.#options.clientName(sessionId);
    this.#names.set(sessionId, name);
    return name;
  }
}

/** Connection tests do not count as use; longer calls are never tests. */
function isTestCall(request: RawRequest): boolean {
  const mayBe =
    (request.byteLength ?? maxTestBytes) < maxTestBytes && request.paramText('meta')?.includes(proofMember);
  return mayBe === true && isConnectionTest(request.method, request.paramsBytes);
}

/** Bytes. */
const maxTestBytes = 1000;

/** Milliseconds of statistics that a crash may lose. */
const gatherMs = 10_000;

const dayMs = 86_400_000;

/** Days since the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/** Returns the calls of the last weeks, including those that were just counted. */
export function recentUses(
  uses: Pick<ToolUses, 'since'>,
  counter: Pick<ToolUseCounter, 'flush'>,
  clock: Clock,
): Promise<readonly ToolUse[]> {
  counter.flush();
  return uses.since(dayOf(clock.now()) - usageDays + 1);
}

export function startOfDay(day: number): number {
  return day * dayMs;
}

function mapAt<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, V>();
  map.set(key, made);
  return made;
}
