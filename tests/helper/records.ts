import type { ActivityWorkerInput, BodyPart, RecordHead } from '../../electron/engine/activity/contract.ts';
import {
  auditId,
  known,
  recordFlags,
  recordRow,
  rowWidth,
} from '../../electron/engine/activity/record-row.ts';

/** A record as a whole. */
export interface WholeRecord extends RecordHead {
  readonly at: number;
  readonly milliseconds?: number | undefined;
  readonly requestBytes?: number | undefined;
  readonly answerBytes?: number | undefined;
  readonly args?: BodyPart | undefined;
  readonly result?: BodyPart | undefined;
  /** Id of the row in the audit log. */
  readonly auditId?: string | undefined;
}

type Batch = Pick<Extract<ActivityWorkerInput, { readonly kind: 'add' }>, 'heads' | 'rows'>;

/** The records of a batch one by one. */
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
  const { argsTruncated: argsBegin, resultTruncated: resultBegins, resultFailed } = recordFlags;
  return {
    ...head,
    at: row[recordRow.at] ?? 0,
    milliseconds: known(row[recordRow.milliseconds]),
    requestBytes: known(row[recordRow.requestBytes]),
    answerBytes: known(row[recordRow.answerBytes]),
    args: partOf(row[recordRow.args], (flags & argsBegin) !== 0, false),
    result: partOf(row[recordRow.result], (flags & resultBegins) !== 0, (flags & resultFailed) !== 0),
    auditId: number === undefined || head.audit === undefined ? undefined : auditId(head.audit, number),
  };
}

function partOf(length = -1, isBeginning: boolean, isError: boolean): BodyPart | undefined {
  if (length < 0) return undefined;
  return { length, ...(isBeginning ? { isBeginning } : {}), ...(isError ? { isError } : {}) };
}
