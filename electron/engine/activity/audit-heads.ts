import { randomBytes } from 'node:crypto';
import type { CallRecord } from '../route/contract.ts';
import type { AuditHead } from './contract.ts';

/** What a person would call doing something; the rest is talk around it. */
const audited: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export function isAudited(method: string): boolean {
  return audited.has(method);
}

/** Ids that no other run of a hub gives. */
export class AuditIds {
  readonly #run = randomBytes(6).toString('hex');
  #count = 0;

  of({ id }: Pick<CallRecord, 'id'>): string {
    return `${this.#run}-${id}`;
  }

  next(): string {
    this.#count += 1;
    return `${this.#run}-n${this.#count}`;
  }
}

interface CallFacts {
  readonly isKept: boolean;
  readonly agent: string | undefined;
  readonly correlationId: string | undefined;
}

export function auditHead(
  id: string,
  { decision }: CallRecord,
  { isKept, agent, correlationId }: CallFacts,
): AuditHead {
  return {
    id,
    agent,
    correlationId,
    decision: decision && decisions[decision.effect],
    cached: decision?.cached,
    isAlone: isKept ? undefined : true,
  };
}

const decisions = { allow: 'ALLOW', ask: 'ASK', deny: 'DENY' } as const;
