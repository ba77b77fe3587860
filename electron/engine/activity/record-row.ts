import type { AuditHead } from './contract.ts';

/** Places of the numbers of one record, one record after the other. What is not known is NaN; a body that is not there, -1. */
export const recordRow = {
  /** Which head it has; others may have the same. */
  head: 0,
  at: 1,
  milliseconds: 2,
  requestBytes: 3,
  answerBytes: 4,
  /** Bytes of its bodies in the batch. */
  args: 5,
  result: 6,
  flags: 7,
  /** What makes the id of its row in the audit log, after the head's prefix; NaN where that is told nothing. */
  number: 8,
} as const;

export const rowWidth = 9;

export const recordFlags = {
  argsBegin: 1,
  resultBegins: 2,
  /** The end of a result that is cut says that the tool failed. */
  resultFailed: 4,
  /** For the audit log alone: activity keeps it not, or counts it with others. */
  isAlone: 8,
  /** Behind the arguments, which are cut, is the digest of them. */
  argsDigested: 16,
} as const;

/** The id of its row in the audit log. */
export function auditId({ prefix }: AuditHead, number: number): string {
  return `${prefix}${number}`;
}

export function known(number: number | undefined): number | undefined {
  return number === undefined || Number.isNaN(number) ? undefined : number;
}
