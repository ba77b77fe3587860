import type { AuditHead } from './contract.ts';

/** Positions of the numbers of one record. Unknown numbers are NaN; a missing body has length -1. */
export const recordRow = {
  /** Index of its head, which others may share. */
  head: 0,
  at: 1,
  milliseconds: 2,
  requestBytes: 3,
  answerBytes: 4,
  /** Byte lengths of its bodies in the batch. */
  args: 5,
  result: 6,
  flags: 7,
  /** Makes up the id of its audit row, after the head's prefix; NaN if the record is not audited. */
  number: 8,
} as const;

export const rowWidth = 9;

export const recordFlags = {
  argsTruncated: 1,
  resultTruncated: 2,
  /** The end of a truncated result says that the tool failed. */
  resultFailed: 4,
  /** Only for the audit log: activity ignores the record, or counts it with others. */
  auditOnly: 8,
  /** The truncated arguments are followed by their digest. */
  argsDigested: 16,
} as const;

/** Returns the id of the audit row. */
export function auditId({ prefix }: AuditHead, number: number): string {
  return `${prefix}${number}`;
}

export function known(number: number | undefined): number | undefined {
  return number === undefined || Number.isNaN(number) ? undefined : number;
}
