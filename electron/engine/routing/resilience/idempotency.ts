import { isDeeperThan } from '../../../../shared/json.ts';
import type { Clock } from '../../base/clock.ts';
import { digestOf } from '../../base/digest.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import { readMessage } from '../../jsonrpc/read-message.ts';
import type { ToolAddress } from '../contract.ts';
import { cancelled, idempotencyMismatch } from '../error-map.ts';
import { type FailureKind, kindOf, mayHaveRun } from './failure.ts';

export interface IdempotencyLimits {
  readonly maxResults: number;
  readonly maxBytes: number;
  /** How long a result is stored, in milliseconds. */
  readonly ttlMs: number;
}

const defaultLimits: IdempotencyLimits = {
  maxResults: 1_000,
  maxBytes: 16 * 1024 * 1024,
  ttlMs: 3_600_000,
};

/** A call with an idempotency key. */
export interface KeyedCall {
  readonly key: string;
  readonly sessionId: string;
  readonly tool: ToolAddress;
  readonly request: RawRequest;
  readonly signal: AbortSignal;
}

export interface KeyedResult {
  readonly answer: RawMessage;
  /** True if it is the result of an earlier call and nothing was sent. */
  readonly repeated: boolean;
}

interface RunningEntry {
  readonly kind: 'running';
  readonly answer: Promise<RawMessage>;
  readonly signal: AbortSignal;
}

type Entry = { readonly digest: string } & (
  | RunningEntry
  /** An earlier call may have run, with unknown outcome. */
  | { readonly kind: 'doubtful'; readonly until: number }
  | { readonly kind: 'kept'; readonly answer: RawMessage; readonly bytes: number; readonly until: number }
);

/**
 * First results by idempotency key (REQ-MCP-CALL-003), per session and tool. Calls with the same key that
 * arrive while the first is in progress wait for it. Only results are stored. A failed call may be retried;
 * if it may have run, only at the server that knows the key.
 */
export class IdempotencyKeys {
  readonly #clock: Clock;
  readonly #limits: IdempotencyLimits;
  /** Ordered from oldest to newest. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(clock: Clock, limits: IdempotencyLimits = defaultLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Returns the first result under the call's key, or else the result of `send`, which learns whether an
   * earlier call may have run. Rejects if the key was used with different arguments.
   */
  async run(call: KeyedCall, send: (isDoubtful: boolean) => Promise<RawMessage>): Promise<KeyedResult> {
    const id = idOf(call);
    const digest = digestOfArguments(call.request);
    for (;;) {
      if (call.signal.aborted) throw cancelled();
      const first = this.#find(id);
      if (first !== undefined && first.digest !== digest) throw idempotencyMismatch(call.tool);
      if (first === undefined || first.kind === 'doubtful') {
        const isDoubtful = first !== undefined;
        const answer = send(isDoubtful);
        const { signal } = call;
        this.#entries.set(id, { kind: 'running', digest, answer, signal });
        return { answer: await this.#settle(id, { digest, answer, signal, isDoubtful }), repeated: false };
      }
      if (first.kind === 'kept') return { answer: first.answer, repeated: true };
      const answer = await awaitFirst(first, call.signal);
      if (answer !== undefined) return { answer, repeated: true };
    }
  }

  #find(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    const isExpired = entry !== undefined && 'until' in entry && entry.until <= this.#clock.now();
    if (isExpired) this.#remove(id);
    return isExpired ? undefined : entry;
  }

  async #settle(id: string, { digest, answer, signal, isDoubtful }: PendingSend): Promise<RawMessage> {
    try {
      const result = await answer;
      this.#store(id, digest, result);
      return result;
    } catch (error) {
      this.#remove(id);
      if (isDoubtful || isOutcomeUnknown(kindOf(error, signal))) {
        const until = this.#clock.now() + this.#limits.ttlMs;
        this.#entries.set(id, { kind: 'doubtful', digest, until });
        this.#trim();
      }
      throw error;
    }
  }

  /** Stores a copy, because the received bytes are a view of a larger buffer. */
  #store(id: string, digest: string, result: RawMessage): void {
    this.#remove(id);
    const line = Buffer.from(result.line());
    if (line.length > this.#limits.maxBytes) return;
    const until = this.#clock.now() + this.#limits.ttlMs;
    this.#entries.set(id, {
      kind: 'kept',
      digest,
      answer: readMessage(line) ?? result,
      bytes: line.length,
      until,
    });
    this.#bytes += line.length;
    this.#trim();
  }

  #trim(): void {
    for (const [id, { kind }] of this.#entries) {
      if (this.#entries.size <= this.#limits.maxResults && this.#bytes <= this.#limits.maxBytes) return;
      if (kind !== 'running') this.#remove(id);
    }
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    if (entry?.kind === 'kept') this.#bytes -= entry.bytes;
  }
}

interface PendingSend {
  readonly digest: string;
  readonly answer: Promise<RawMessage>;
  readonly signal: AbortSignal;
  readonly isDoubtful: boolean;
}

/** A cancelled call leaves the same doubt. */
function isOutcomeUnknown(kind: FailureKind): boolean {
  return mayHaveRun(kind) || kind === 'cancelled';
}

/** Waits for the first call; undefined if its own client cancelled it, so that another call must be sent. */
function awaitFirst(first: RunningEntry, signal: AbortSignal): Promise<RawMessage | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    first.answer
      .then(resolve, (error: unknown) => (first.signal.aborted ? resolve(undefined) : reject(error)))
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Uses JSON so that the parts cannot be confused. */
function idOf({ key, sessionId, tool }: KeyedCall): string {
  return JSON.stringify([sessionId, tool.serverKey, tool.name, key]);
}

/** Returns the idempotency key of a request, if it has one. */
export function idempotencyKeyOf(request: RawRequest): string | undefined {
  const key = request.param('idempotencyKey');
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/**
 * Returns a digest that is equal exactly if the arguments mean the same: order of members and white space do
 * not matter. Numbers are compared as written, because different ones beyond 2^53 parse to the same value.
 */
export function digestOfArguments(request: RawRequest): string {
  const message = JSON.parse(withNumbersAsText(request.line().toString('utf8')));
  const found = message[markString('params')]?.[markString('arguments')] ?? null;
  // Compares deeply nested arguments as text, because sorting members uses stack space for each level.
  if (isDeeperThan(found, maxSortDepth))
    return digestOf((request.argumentsBytes ?? request.line()).toString('latin1'));
  return digestOf(sortMembers(found));
}

/** Maximum nesting depth. */
const maxSortDepth = 500;

/** Marks every string, including member names, and turns every number into an unmarked string. */
function withNumbersAsText(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"${markString(token.slice(1))}` : `"${token}"`,
  );
}

function markString(text: string): string {
  return `s${text}`;
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).sort();
  // Wrapped in an object so that it differs from an array of pairs.
  return { members: names.map((name) => [name, sortMembers(members[name])]) };
}
