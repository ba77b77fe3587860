import type { BodyPart, DeskInput, RecordHead } from './contract.ts';

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

/** A record as a whole. */
export interface WholeRecord extends RecordHead {
  readonly at: number;
  readonly milliseconds?: number | undefined;
  readonly requestBytes?: number | undefined;
  readonly answerBytes?: number | undefined;
  readonly args?: BodyPart | undefined;
  readonly result?: BodyPart | undefined;
  /** Of its row in the audit log. */
  readonly auditId?: string | undefined;
}

type Batch = Pick<Extract<DeskInput, { readonly kind: 'add' }>, 'heads' | 'rows'>;

/** The records of a batch one by one, for those few who have the time. */
export function recordsOf({ heads, rows }: Batch): readonly WholeRecord[] {
  const known: readonly RecordHead[] = JSON.parse(heads);
  return Array.from({ length: rows.length / rowWidth }, (_, index) => {
    const row = rows.subarray(index * rowWidth, (index + 1) * rowWidth);
    const head = known[row[recordRow.head] ?? 0];
    if (head === undefined) throw new Error('a record has no head');
    return wholeRecord(head, row);
  });
}

function wholeRecord(head: RecordHead, row: Float64Array): WholeRecord {
  const flags = row[recordRow.flags] ?? 0;
  const number = known(row[recordRow.number]);
  const { argsBegin, resultBegins, resultFailed } = recordFlags;
  return {
    ...head,
    at: row[recordRow.at] ?? 0,
    milliseconds: known(row[recordRow.milliseconds]),
    requestBytes: known(row[recordRow.requestBytes]),
    answerBytes: known(row[recordRow.answerBytes]),
    args: partOf(row[recordRow.args], (flags & argsBegin) !== 0, false),
    result: partOf(row[recordRow.result], (flags & resultBegins) !== 0, (flags & resultFailed) !== 0),
    auditId: number === undefined ? undefined : `${head.audit?.prefix}${number}`,
  };
}

export function known(number: number | undefined): number | undefined {
  return number === undefined || Number.isNaN(number) ? undefined : number;
}

function partOf(length = -1, isBeginning: boolean, isError: boolean): BodyPart | undefined {
  if (length < 0) return undefined;
  return { length, ...(isBeginning ? { isBeginning } : {}), ...(isError ? { isError } : {}) };
}
