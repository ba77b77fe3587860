import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalRequest, Risk } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { NamedItem } from '../catalogue/contract.ts';
import type { RpcError } from '../jsonrpc/message.ts';
import type { CallSignal } from '../routing/contract.ts';
import { cancelled } from '../routing/error-map.ts';
import { approvalGone } from './access-problems.ts';
import { approvalDenied, approvalInterrupted, approvalTimeout, tooManyApprovals } from './refusals.ts';

/** One call that needs approval. */
export interface CallToApprove {
  readonly identityId: string;
  readonly clientName: string;
  readonly tool: NamedItem;
  readonly risk: Risk;
  /** Arguments with secrets masked; built only when somebody looks at them. */
  readonly argumentsText: () => string;
  readonly signal: CallSignal;
  /** Sends the client a progress message. */
  readonly notify: (message: string) => void;
}

/** Outcome of a call that waited for approval. */
export type ApprovalOutcome =
  | { readonly kind: 'answered'; readonly answer: ApprovalAnswer; readonly by: string }
  | { readonly kind: 'withdrawn' | 'timed_out' };

export interface ApprovalQueueOptions {
  readonly clock: Clock;
  /** Milliseconds that a call waits; 5 minutes by default. */
  readonly timeoutMs?: number;
  readonly onAsked: (call: CallToApprove) => void;
  /** Runs before the call continues. An error that it throws refuses the call. */
  readonly onEnd: (call: CallToApprove, end: ApprovalOutcome) => void;
}

/**
 * Calls that wait for approval. Calls of one identity for the same tool form a line: only the first is shown,
 * with its arguments, and the next one after it, so that nobody allows a call they have not seen.
 */
export class ApprovalQueue implements Disposable {
  readonly #options: ApprovalQueueOptions;
  readonly #timeoutMs: number;
  readonly #lines = new Map<string, PendingApproval[]>();
  readonly #changed = new Emitter<readonly ApprovalRequest[]>();
  readonly onChange = this.#changed.event;

  constructor(options: ApprovalQueueOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  }

  /** Resolves when the call is allowed; rejects with the error for the client. */
  ask(call: CallToApprove): Promise<void> {
    if (call.signal.aborted) return Promise.reject(cancelled());
    const key = lineKey(call);
    const line = this.#lines.get(key) ?? [];
    const waiting = this.#countOf(call.identityId);
    if (waiting >= maxPending) return Promise.reject(tooManyApprovals(call.clientName, call.tool, waiting));
    return new Promise((resolve, reject) => {
      const { clock } = this.#options;
      const entry: PendingApproval = new PendingApproval({
        call,
        clock,
        timeoutMs: this.#timeoutMs,
        resolve,
        reject,
        onAbort: () => this.#giveUp(entry, { kind: 'withdrawn' }, cancelled()),
        onTimeout: () =>
          this.#giveUp(
            entry,
            { kind: 'timed_out' },
            approvalTimeout(call.clientName, call.tool, this.#timeoutMs),
          ),
      });
      this.#lines.set(key, [...line, entry]);
      this.#options.onAsked(call);
      this.#fireChange();
    });
  }

  /** Returns the first call of each line, oldest first. */
  list(): readonly ApprovalRequest[] {
    return [...this.#lines.values()]
      .flatMap((line) => (line[0] === undefined ? [] : [line[0].toView(line.length - 1)]))
      .sort((one, other) => one.askedAt - other.askedAt);
  }

  /** Throws `access.approval_gone`. Every answer except `once` applies to the whole line. */
  answer(id: string, answer: ApprovalAnswer, by: string): void {
    const line = [...this.#lines.values()].find(([first]) => first?.id === id);
    const [first] = line ?? [];
    if (line === undefined || first === undefined) throw approvalGone();
    const answered = answer === 'once' ? [first] : line;
    this.#drop(answered);
    const refuseAll = { kind: 'answered', answer, by } as const;
    for (const [index, entry] of answered.entries())
      this.#settle(entry, index === 0 ? refuseAll : undefined, answer);
    this.#fireChange();
  }

  /** Checks the waiting calls again after grants have changed: some may be allowed or refused now. */
  review(identityId: string, judge: (call: CallToApprove) => 'wait' | 'allow' | RpcError): void {
    for (const entry of [...this.#lines.values()].flat()) {
      if (entry.call.identityId !== identityId) continue;
      const judged = judge(entry.call);
      if (judged === 'wait') continue;
      this.#drop([entry]);
      this.#options.onEnd(entry.call, { kind: 'withdrawn' });
      if (judged === 'allow') entry.allow();
      else entry.refuse(judged);
      this.#fireChange();
    }
  }

  /** Refuses all waiting calls before the hub quits. Returns whether there were any. */
  refuseAll(): boolean {
    const all = [...this.#lines.values()].flat();
    this.#drop(all);
    for (const entry of all) {
      this.#options.onEnd(entry.call, { kind: 'withdrawn' });
      entry.refuse(approvalInterrupted(entry.call.clientName, entry.call.tool));
    }
    return all.length > 0;
  }

  dispose(): void {
    const all = [...this.#lines.values()].flat();
    this.#lines.clear();
    for (const entry of all) entry.refuse(cancelled());
    this.#changed.dispose();
  }

  #settle(entry: PendingApproval, refuseAll: ApprovalOutcome | undefined, answer: ApprovalAnswer): void {
    const { call } = entry;
    const denied = () => entry.refuse(approvalDenied(call.tool));
    try {
      if (refuseAll !== undefined) this.#options.onEnd(call, refuseAll);
    } catch (error) {
      denied();
      throw error;
    }
    if (answer === 'deny') denied();
    else entry.allow();
  }

  #giveUp(entry: PendingApproval, refuseAll: ApprovalOutcome, why: RpcError): void {
    this.#drop([entry]);
    this.#options.onEnd(entry.call, refuseAll);
    entry.refuse(why);
    this.#fireChange();
  }

  #drop(entries: readonly PendingApproval[]): void {
    for (const entry of entries) {
      const key = lineKey(entry.call);
      const rest = (this.#lines.get(key) ?? []).filter((one) => one !== entry);
      if (rest.length === 0) this.#lines.delete(key);
      else this.#lines.set(key, rest);
    }
  }

  #countOf(identityId: string): number {
    return [...this.#lines.values()].flat().filter(({ call }) => call.identityId === identityId).length;
  }

  #fireChange(): void {
    this.#changed.fire(this.list());
  }
}

interface PendingApprovalOptions {
  readonly call: CallToApprove;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly resolve: () => void;
  readonly reject: (error: RpcError) => void;
  readonly onAbort: () => void;
  readonly onTimeout: () => void;
}

class PendingApproval {
  readonly id = randomUUID();
  readonly call: CallToApprove;
  readonly #options: PendingApprovalOptions;
  readonly #askedAt: number;
  readonly #timeout: Disposable;
  #progressTimer: Disposable;
  #argumentsText: string | undefined;

  constructor(options: PendingApprovalOptions) {
    const { call, clock } = options;
    this.call = call;
    this.#options = options;
    this.#askedAt = clock.now();
    this.#timeout = clock.after(options.timeoutMs, options.onTimeout);
    this.#progressTimer = this.#sendProgress();
    call.signal.addEventListener('abort', options.onAbort);
  }

  allow(): void {
    this.#end();
    this.#options.resolve();
  }

  refuse(why: RpcError): void {
    this.#end();
    this.#options.reject(why);
  }

  toView(behind: number): ApprovalRequest {
    const { identityId, clientName, tool, risk, argumentsText } = this.call;
    this.#argumentsText ??= argumentsText();
    return {
      id: this.id,
      identityId,
      clientName,
      serverKey: tool.serverKey,
      tool: tool.name,
      risk,
      argumentsText: this.#argumentsText,
      askedAt: this.#askedAt,
      expiresAt: this.#askedAt + this.#options.timeoutMs,
      behind,
    };
  }

  /** Sends progress regularly: clients give up on a call that stays silent. */
  #sendProgress(): Disposable {
    const { tool, notify } = this.call;
    notify(`Waiting for approval of ${tool.serverKey}:${tool.name} in Patchbay…`);
    return this.#options.clock.after(progressIntervalMs, () => {
      this.#progressTimer = this.#sendProgress();
    });
  }

  #end(): void {
    this.#timeout.dispose();
    this.#progressTimer.dispose();
    this.call.signal.removeEventListener('abort', this.#options.onAbort);
  }
}

function lineKey({ identityId, tool }: CallToApprove): string {
  return JSON.stringify([identityId, tool.serverKey, tool.name]);
}

/** Milliseconds. */
const defaultTimeoutMs = 5 * 60_000;
const progressIntervalMs = 5_000;

/** Per identity. */
const maxPending = 100;
