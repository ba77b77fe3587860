import type { Clock } from '../../base/clock.ts';
import type { RawMessage, RawRequest } from '../../rpc/raw-message.ts';
import { readMessage } from '../../rpc/read-message.ts';
import type { CallSignal, ToolAddress } from '../contract.ts';
import { cancelled, idempotencyMismatch } from '../error-map.ts';
import { digestOfArguments } from './arguments-digest.ts';
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
  readonly signal: CallSignal;
}

export interface KeyedResult {
  readonly answer: RawMessage;
  /** True if it is the result of an earlier call and nothing was sent. */
  readonly repeated: boolean;
}

interface RunningEntry {
  readonly kind: 'running';
  readonly answer: Promise<RawMessage>;
  readonly signal: CallSignal;
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
  readonly signal: CallSignal;
  readonly isDoubtful: boolean;
}

/** A cancelled call leaves the same doubt. */
function isOutcomeUnknown(kind: FailureKind): boolean {
  return mayHaveRun(kind) || kind === 'cancelled';
}

/** Waits for the first call; undefined if its own client cancelled it, so that another call must be sent. */
function awaitFirst(first: RunningEntry, signal: CallSignal): Promise<RawMessage | undefined> {
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
