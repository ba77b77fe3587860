import type { CallRecord } from '../routing/contract.ts';
import type { NewRow } from './contract.ts';

/** Calls of one client with the same target and outcome. */
interface Merged {
  readonly first: Pick<CallRecord, 'sessionId' | 'serverKey' | 'method' | 'name' | 'outcome' | 'startedAt'>;
  count: number;
  milliseconds: number;
  requestBytes: number;
  answerBytes: number;
}

/** Counts calls that come too fast to be stored individually. Keeps nothing of their bodies. */
export class MergedCalls {
  readonly #byKey = new Map<string, Merged>();
  /** In a flood, most calls are like the one before. */
  #last: Merged | undefined;

  add(call: CallRecord): void {
    const merged = this.#last !== undefined && isLike(this.#last, call) ? this.#last : this.#find(call);
    this.#last = merged;
    merged.count += 1;
    merged.milliseconds += (call.endedAt ?? call.startedAt) - call.startedAt;
    merged.requestBytes += call.request.byteLength ?? 0;
    merged.answerBytes += call.answer?.byteLength ?? 0;
  }

  /** Returns one row for each group of similar calls, with their average duration. */
  take(): readonly NewRow[] {
    const heads = [...this.#byKey.values()].map(toHead);
    this.#byKey.clear();
    this.#last = undefined;
    return heads;
  }

  #find(call: CallRecord): Merged {
    const { sessionId, serverKey, method, name, outcome, startedAt } = call;
    // Resources beyond this limit, of which there may be any number, are counted together.
    const countedName = this.#byKey.size < maxKinds ? name : undefined;
    const key = `${sessionId}\n${serverKey}\n${method}\n${countedName}\n${outcome}`;
    const found = this.#byKey.get(key);
    if (found !== undefined) return found;
    const first = { sessionId, serverKey, method, name: countedName, outcome, startedAt };
    const made = { first, count: 0, milliseconds: 0, requestBytes: 0, answerBytes: 0 };
    this.#byKey.set(key, made);
    return made;
  }
}

const maxKinds = 200;

function isLike({ first }: Merged, call: CallRecord): boolean {
  return (
    first.name === call.name &&
    first.sessionId === call.sessionId &&
    first.serverKey === call.serverKey &&
    first.outcome === call.outcome &&
    first.method === call.method
  );
}

function toHead({ first, count, milliseconds, requestBytes, answerBytes }: Merged): NewRow {
  const { sessionId, serverKey, method, name, outcome, startedAt } = first;
  return {
    at: startedAt,
    kind: 'call',
    clientId: sessionId,
    serverKey,
    method,
    name,
    outcome: outcome ?? 'lost',
    milliseconds: Math.round(milliseconds / count),
    requestBytes,
    answerBytes,
    count,
  };
}
