import type { CallRecord } from '../routing/contract.ts';
import { decisionOf } from './audit-heads.ts';
import type { CallRow, SharedRecord } from './contract.ts';

/** Tells how a call is recorded, besides what it was. */
export interface CallRecording {
  /** Starts its id in the audit log, before its number; undefined if it is not audited. */
  readonly auditPrefix: string | undefined;
  readonly isAuditOnly: true | undefined;
}

type Shared = Pick<
  CallRecord,
  'sessionId' | 'serverKey' | 'method' | 'name' | 'outcome' | 'attempts' | 'decision'
> &
  CallRecording;

/**
 * Says once what ordinary calls of a batch have in common: most are like one of the last few before, except for
 * time and size.
 */
export class SharedCalls {
  #calls: Shared[] = [];
  #records: SharedRecord[] = [];

  /** Lists what the calls have in common, by their index. */
  get records(): readonly SharedRecord[] {
    return this.#records;
  }

  /** Returns the index for this call; undefined if there is none yet. */
  find(call: CallRecord, recording: CallRecording): number | undefined {
    const oldest = Math.max(0, this.#calls.length - maxCompared);
    for (let index = this.#calls.length - 1; index >= oldest; index -= 1) {
      const shared = this.#calls[index];
      if (shared !== undefined && isLike(shared, call, recording)) return index;
    }
    return undefined;
  }

  /** Returns the new index. */
  add(call: CallRecord, { auditPrefix, isAuditOnly }: CallRecording): number {
    const { sessionId, serverKey, method, name, outcome, attempts, decision } = call;
    this.#calls.push({
      sessionId,
      serverKey,
      method,
      name,
      outcome,
      attempts,
      decision,
      auditPrefix,
      isAuditOnly,
    });
    const audit = auditPrefix === undefined ? undefined : { prefix: auditPrefix, ...decisionOf(decision) };
    const shownName = isNamed(call) ? name : undefined;
    return this.#records.push(Object.assign(rowOf(call), { name: shownName, audit, isAuditOnly })) - 1;
  }

  clear(): void {
    [this.#calls, this.#records] = [[], []];
  }
}

/** Comparing with more costs more than it saves. */
const maxCompared = 16;

function isLike(shared: Shared, call: CallRecord, { auditPrefix, isAuditOnly }: CallRecording): boolean {
  return (
    shared.name === call.name &&
    shared.serverKey === call.serverKey &&
    shared.sessionId === call.sessionId &&
    shared.outcome === call.outcome &&
    shared.method === call.method &&
    shared.attempts === call.attempts &&
    shared.decision === call.decision &&
    shared.auditPrefix === auditPrefix &&
    shared.isAuditOnly === isAuditOnly
  );
}

/** Returns the row of a call, without what is measured of it. */
export function rowOf(call: CallRecord): CallRow {
  const { attempts, fallback, error } = call;
  return {
    kind: 'call',
    clientId: call.sessionId,
    serverKey: call.serverKey,
    method: call.method,
    name: call.name,
    outcome: call.outcome ?? 'lost',
    attempts: attempts === 1 ? undefined : attempts,
    fallback: fallback && `${fallback.serverKey}:${fallback.name}`,
    repeated: call.repeated || undefined,
    text: error?.message,
  };
}

/**
 * Returns false for a name that no server has given, such as a URI that matches a template: it may contain anything.
 */
export function isNamed(row: {
  readonly serverKey?: string | undefined;
  readonly method?: string | undefined;
}): boolean {
  return row.serverKey !== undefined && (row.method === 'tools/call' || row.method === 'prompts/get');
}
