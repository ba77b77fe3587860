import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalRequest, Risk } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { NamedItem } from '../catalogue/contract.ts';
import type { RpcError } from '../jsonrpc/message.ts';
import { cancelled } from '../routing/error-map.ts';
import { approvalGone } from './access-problems.ts';
import type { AccessService } from './access-service.ts';
import type { Authorizer } from './authorizer.ts';
import type { AccessEvent } from './contract.ts';
import {
  approvalDenied,
  approvalInterrupted,
  approvalTimeout,
  notAllowed,
  tooManyApprovals,
} from './refusals.ts';

/** A call that needs approval, with all that a person sees of it. */
export interface CallToApprove {
  readonly identityId: string;
  readonly clientName: string;
  readonly tool: NamedItem;
  readonly risk: Risk;
  /** Arguments with secrets masked; built only when somebody looks at them. */
  readonly argumentsText: () => string;
  readonly signal: AbortSignal;
  /** Sends the client a progress message. */
  readonly notify: (message: string) => void;
}

export interface ApprovalQueueOptions {
  readonly service: Pick<AccessService, 'isReady' | 'onChange' | 'record' | 'grant' | 'issueToken'>;
  readonly authorizer: Pick<Authorizer, 'decide'>;
  readonly clock: Clock;
  /** Milliseconds that a call waits; 5 minutes by default. */
  readonly timeoutMs?: number;
}

/**
 * Calls that wait for approval, until somebody answers, their rules change or nobody waits any more. Calls of
 * one identity for the same tool form a line: only the first is shown, with its arguments, and the next one
 * after it, so that nobody allows a call they have not seen.
 */
export class ApprovalQueue implements Disposable {
  readonly #options: ApprovalQueueOptions;
  readonly #timeoutMs: number;
  readonly #lines = new Map<string, PendingApproval[]>();
  readonly #subscription: Disposable;
  readonly #changed = new Emitter<readonly ApprovalRequest[]>();
  readonly onChange = this.#changed.event;

  constructor(options: ApprovalQueueOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    this.#subscription = options.service.onChange((identityId) => this.#review(identityId));
  }

  /** Resolves when the call is allowed; rejects with the error for the client. */
  ask(call: CallToApprove): Promise<void> {
    if (call.signal.aborted) return Promise.reject(cancelled());
    const key = lineKey(call);
    const line = this.#lines.get(key) ?? [];
    const waiting = this.#entries().filter((entry) => entry.call.identityId === call.identityId).length;
    if (waiting >= maxPending) return Promise.reject(tooManyApprovals(call.clientName, call.tool, waiting));
    return new Promise((resolve, reject) => {
      const { clock } = this.#options;
      const entry: PendingApproval = new PendingApproval({
        call,
        clock,
        timeoutMs: this.#timeoutMs,
        resolve,
        reject,
        onAbort: () => this.#end(entry, 'withdrawn', cancelled()),
        onTimeout: () =>
          this.#end(entry, 'timed_out', approvalTimeout(call.clientName, call.tool, this.#timeoutMs)),
      });
      this.#lines.set(key, [...line, entry]);
      const { serverKey, name } = call.tool;
      const text = `${call.clientName} is waiting for approval to call ${serverKey}:${name}.`;
      this.#record(call, { kind: 'approval.asked', by: call.clientName, text });
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
    try {
      this.#apply(first.call, answer, by);
    } catch (error) {
      for (const entry of answered) entry.refuse(approvalDenied(entry.call.tool));
      this.#fireChange();
      throw error;
    }
    for (const entry of answered) {
      if (answer === 'deny') entry.refuse(approvalDenied(entry.call.tool));
      else entry.allow();
    }
    this.#fireChange();
  }

  /** Refuses all waiting calls before the hub quits. Returns whether there were any. */
  refuseAll(): boolean {
    const all = this.#entries();
    for (const entry of all)
      this.#end(entry, 'withdrawn', approvalInterrupted(entry.call.clientName, entry.call.tool));
    return all.length > 0;
  }

  dispose(): void {
    this.#subscription.dispose();
    const all = this.#entries();
    this.#lines.clear();
    for (const entry of all) entry.refuse(cancelled());
    this.#changed.dispose();
  }

  /** Checks the waiting calls again after rules have changed: some may be allowed or refused now. */
  #review(identityId: string): void {
    const { authorizer, service } = this.#options;
    for (const entry of this.#entries()) {
      const { call } = entry;
      if (call.identityId !== identityId) continue;
      const decision = authorizer.decide(identityId, call.tool);
      if (decision.effect === 'deny')
        this.#end(entry, 'withdrawn', notAllowed(call.clientName, call.tool, decision));
      else if (decision.effect === 'allow' || !service.isReady) this.#end(entry, 'withdrawn', undefined);
    }
  }

  /** Records the answer, and grants what was allowed for longer than once. */
  #apply(call: CallToApprove, answer: ApprovalAnswer, by: string): void {
    const { service } = this.#options;
    const { identityId, tool } = call;
    const { serverKey, name } = tool;
    const text = `${by} answered ${callText(call)}: ${answerTexts[answer]}.`;
    this.#record(call, { kind: 'approval.answered', by, text, answer });
    if (answer === 'for-15-minutes') service.issueToken(identityId, serverKey, name, 15 * minuteMs, by);
    if (answer !== 'always') return;
    const scope = { kind: 'tool', serverKey, tool: name } as const;
    service.grant({ identityId, effect: 'allow', scope, grantedBy: by });
  }

  /** Ends the wait of a call that nobody answered: with `why`, or by making the call. */
  #end(entry: PendingApproval, kind: 'withdrawn' | 'timed_out', why: RpcError | undefined): void {
    this.#drop([entry]);
    const text =
      kind === 'withdrawn'
        ? `Approval is no longer needed for ${callText(entry.call)}.`
        : `Nobody approved ${callText(entry.call)} in time.`;
    this.#record(entry.call, { kind: `approval.${kind}`, by: 'the hub', text });
    if (why === undefined) entry.allow();
    else entry.refuse(why);
    this.#fireChange();
  }

  #record(
    { identityId, tool }: CallToApprove,
    event: Pick<AccessEvent, 'kind' | 'by' | 'text' | 'answer'>,
  ): void {
    this.#options.service.record(identityId, { ...event, serverKey: tool.serverKey, tool: tool.name });
  }

  #drop(entries: readonly PendingApproval[]): void {
    for (const entry of entries) {
      const key = lineKey(entry.call);
      const rest = (this.#lines.get(key) ?? []).filter((one) => one !== entry);
      if (rest.length === 0) this.#lines.delete(key);
      else this.#lines.set(key, rest);
    }
  }

  #entries(): readonly PendingApproval[] {
    return [...this.#lines.values()].flat();
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

function callText({ clientName, tool }: CallToApprove): string {
  return `the call of ${tool.serverKey}:${tool.name} by ${clientName}`;
}

const answerTexts: Readonly<Record<ApprovalAnswer, string>> = {
  once: 'allowed once',
  'for-15-minutes': 'allowed for 15 minutes',
  always: 'always allowed',
  deny: 'denied',
};

function lineKey({ identityId, tool }: CallToApprove): string {
  return JSON.stringify([identityId, tool.serverKey, tool.name]);
}

const minuteMs = 60_000;
const defaultTimeoutMs = 5 * minuteMs;
const progressIntervalMs = 5_000;

/** Per identity. */
const maxPending = 100;
