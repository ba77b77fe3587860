import type { CallRecord } from '../routing/contract.ts';
import { decisionOf, isAudited } from './audit-heads.ts';
import type { RecordHead } from './contract.ts';
import type { RecordBatch } from './record-batch.ts';

export interface CallHeadsOptions {
  readonly clientName: (sessionId: string) => string | undefined;
  readonly agentOf: (sessionId: string) => string | undefined;
  /** Prefix of audit ids of calls. */
  readonly prefix: string;
}

/** A head, with the call members it was made from. */
interface KnownHead {
  readonly call: Shared;
  readonly index: number;
}

type Shared = Pick<
  CallRecord,
  'sessionId' | 'serverKey' | 'method' | 'name' | 'outcome' | 'attempts' | 'decision'
>;

/** Stores what calls of a batch have in common only once: most are like one of the last few. */
export class CallHeads {
  readonly #options: CallHeadsOptions;
  #known: KnownHead[] = [];

  constructor(options: CallHeadsOptions) {
    this.#options = options;
  }

  /** Returns the index of the call's head in this batch. */
  find(batch: RecordBatch, call: CallRecord, isAuditing: boolean): number {
    const { error, fallback, repeated, correlationId } = call;
    const isAlike = error === undefined && fallback === undefined && !repeated && correlationId === undefined;
    if (!isAlike) return batch.addHead(this.#make(call, isAuditing));
    const first = Math.max(0, this.#known.length - maxCompared);
    for (let at = this.#known.length - 1; at >= first; at -= 1) {
      const known = this.#known[at];
      if (known !== undefined && isLike(known.call, call)) return known.index;
    }
    const index = batch.addHead(this.#make(call, isAuditing));
    this.#known.push({ call: sharedOf(call), index });
    return index;
  }

  /** Call when a new batch starts. */
  forget(): void {
    if (this.#known.length > 0) this.#known = [];
  }

  #make(call: CallRecord, isAuditing: boolean): RecordHead {
    const { sessionId, method, attempts, fallback, decision } = call;
    const { clientName, agentOf, prefix } = this.#options;
    const isAuditedCall = isAuditing && isAudited(method);
    return {
      kind: 'call',
      clientId: sessionId,
      clientName: clientName(sessionId),
      serverKey: call.serverKey,
      method,
      name: call.name,
      outcome: call.outcome ?? 'lost',
      attempts: attempts === 1 ? undefined : attempts,
      fallback: fallback && `${fallback.serverKey}:${fallback.name}`,
      repeated: call.repeated || undefined,
      text: call.error?.message,
      audit: isAuditedCall
        ? { prefix, agent: agentOf(sessionId), correlationId: call.correlationId, ...decisionOf(decision) }
        : undefined,
    };
  }
}

/** Heads to compare with; comparing more costs more than it saves. */
const maxCompared = 16;

function sharedOf({ sessionId, serverKey, method, name, outcome, attempts, decision }: CallRecord): Shared {
  return { sessionId, serverKey, method, name, outcome, attempts, decision };
}

function isLike(known: Shared, call: CallRecord): boolean {
  return (
    known.name === call.name &&
    known.serverKey === call.serverKey &&
    known.sessionId === call.sessionId &&
    known.outcome === call.outcome &&
    known.method === call.method &&
    known.attempts === call.attempts &&
    known.decision === call.decision
  );
}
