import { randomBytes } from 'node:crypto';
import type { CallRecord } from '../routing/contract.ts';
import type { RecordAudit } from './contract.ts';

/** Requests that a person would call doing something; all others only support them. */
const audited: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export function isAudited(method: string): boolean {
  return audited.has(method);
}

/** Generates ids that no other run of a hub uses. */
export class AuditIds {
  readonly #run = randomBytes(6).toString('hex');
  #count = 0;

  /** Prefix for call numbers. */
  readonly callPrefix = `${this.#run}-`;
  /** Prefix for {@link next}. */
  readonly otherPrefix = `${this.#run}-n`;

  next(): number {
    this.#count += 1;
    return this.#count;
  }
}

export function decisionOf(decision: CallRecord['decision']): Pick<RecordAudit, 'decision' | 'cached'> {
  return { decision: decision && decisions[decision.effect], cached: decision?.cached };
}

const decisions = { allow: 'ALLOW', ask: 'ASK', deny: 'DENY' } as const;
