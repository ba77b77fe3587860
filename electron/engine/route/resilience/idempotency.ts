import type { Clock } from '../../base/clock.ts';
import type { RawMessage, RawRequest } from '../../rpc/raw-message.ts';
import { readMessage } from '../../rpc/read-message.ts';
import type { CallSignal, ToolAddress } from '../contract.ts';
import { cancelled, idempotencyMismatch } from '../error-map.ts';
import { digestOfArguments } from './arguments-digest.ts';
import { type FailureKind, kindOf, mayHaveRun } from './failure.ts';

export interface IdempotencyLimits {
  readonly results: number;
  readonly bytes: number;
  /** How long a result is kept, in milliseconds. */
  readonly milliseconds: number;
}

const usualLimits: IdempotencyLimits = {
  results: 1_000,
  bytes: 16 * 1024 * 1024,
  milliseconds: 3_600_000,
};

/** A call with a key: whose it is, where it goes, what it says. */
export interface KeyedCall {
  readonly key: string;
  readonly sessionId: string;
  readonly tool: ToolAddress;
  readonly request: RawRequest;
  readonly signal: CallSignal;
}

export interface KeyedAnswer {
  readonly answer: RawMessage;
  /** It is the first call's; this one was not sent. */
  readonly repeated: boolean;
}

interface RunningEntry {
  readonly kind: 'running';
  readonly answer: Promise<RawMessage>;
  readonly signal: CallSignal;
}

type Entry = { readonly digest: string } & (
  | RunningEntry
  /** A call under it may have run, and nobody knows what came of it. */
  | { readonly kind: 'doubtful'; readonly until: number }
  | { readonly kind: 'kept'; readonly answer: RawMessage; readonly bytes: number; readonly until: number }
);

/**
 * First results by idempotency key (REQ-MCP-CALL-003), for one session and tool each. Calls of one key that come while
 * the first is under way wait for it. Only results are kept: what failed may be tried again, though where it may have
 * run, only at the server that knows the key.
 */
export class IdempotencyKeys {
  readonly #clock: Clock;
  readonly #limits: IdempotencyLimits;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(clock: Clock, limits: IdempotencyLimits = usualLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * The first result under the call's key, else what `send` brings, which is told whether an earlier call may have run.
   * Rejects where the key had other arguments.
   */
  async run(call: KeyedCall, send: (isDoubtful: boolean) => Promise<RawMessage>): Promise<KeyedAnswer> {
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
      const answer = await shared(first, call.signal);
      if (answer !== undefined) return { answer, repeated: true };
    }
  }

  #find(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    const isOver = entry !== undefined && 'until' in entry && entry.until <= this.#clock.now();
    if (isOver) this.#remove(id);
    return isOver ? undefined : entry;
  }

  async #settle(id: string, { digest, answer, signal, isDoubtful }: Sending): Promise<RawMessage> {
    try {
      const result = await answer;
      this.#keep(id, digest, result);
      return result;
    } catch (error) {
      this.#remove(id);
      if (isDoubtful || leavesDoubt(kindOf(error, signal))) {
        const until = this.#clock.now() + this.#limits.milliseconds;
        this.#entries.set(id, { kind: 'doubtful', digest, until });
        this.#trim();
      }
      throw error;
    }
  }

  /** A copy: what arrived is a part of a larger piece of memory. */
  #keep(id: string, digest: string, result: RawMessage): void {
    this.#remove(id);
    const line = Buffer.from(result.line());
    if (line.length > this.#limits.bytes) return;
    const until = this.#clock.now() + this.#limits.milliseconds;
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
      if (this.#entries.size <= this.#limits.results && this.#bytes <= this.#limits.bytes) return;
      if (kind !== 'running') this.#remove(id);
    }
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    if (entry?.kind === 'kept') this.#bytes -= entry.bytes;
  }
}

interface Sending {
  readonly digest: string;
  readonly answer: Promise<RawMessage>;
  readonly signal: CallSignal;
  readonly isDoubtful: boolean;
}

/** Whoever gave a call up does not know what became of it either. */
function leavesDoubt(kind: FailureKind): boolean {
  return mayHaveRun(kind) || kind === 'cancelled';
}

/** What the first call brings; undefined where its own client gave it up, so that another one has to ask. */
function shared(first: RunningEntry, signal: CallSignal): Promise<RawMessage | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    first.answer
      .then(resolve, (error: unknown) => (first.signal.aborted ? resolve(undefined) : reject(error)))
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** As JSON: no text of one part can be taken for another part. */
function idOf({ key, sessionId, tool }: KeyedCall): string {
  return JSON.stringify([sessionId, tool.serverKey, tool.name, key]);
}

/** The key that a caller gave its request, if it did. */
export function idempotencyKeyOf(request: RawRequest): string | undefined {
  const key = request.param('idempotencyKey');
  return typeof key === 'string' && key !== '' ? key : undefined;
}
