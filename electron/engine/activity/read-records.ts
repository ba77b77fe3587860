import type { ActivityRecord, OrdinaryCall, RecordList, SharedRecord, WrittenRecords } from './contract.ts';

/** Reads the records of a batch. */
export function readRecords({ buffer, length }: Uint8Array<ArrayBuffer>): RecordList {
  if (length === 0) return { clients: [], servers: [], records: [] };
  // Only this program writes them.
  return toRecordList(JSON.parse(Buffer.from(buffer).toString()) as WrittenRecords);
}

/** Earlier versions wrote neither parties nor shared records into the journal. */
export function toRecordList(written: Pick<WrittenRecords, 'records'> & Partial<WrittenRecords>): RecordList {
  const { clients = [], servers = [] } = written;
  const shared = (written.shared ?? []).map(({ audit, ...common }) => ({ audit, common }));
  const records = written.records.map((record) => (isOrdinary(record) ? toRecord(record, shared) : record));
  return { clients, servers, records };
}

function isOrdinary(record: ActivityRecord | OrdinaryCall): record is OrdinaryCall {
  return Array.isArray(record);
}

interface Shared {
  readonly audit: SharedRecord['audit'];
  readonly common: SharedRecord;
}

function toRecord(call: OrdinaryCall, shared: readonly Shared[]): ActivityRecord {
  const [index, at, milliseconds, requestBytes, answerBytes, number] = call;
  const { audit: sharedAudit, common } = shared[index] ?? unknownCall;
  const audit = sharedAudit && Object.assign({ id: `${sharedAudit.prefix}${number}` }, sharedAudit);
  return Object.assign({ at, milliseconds, requestBytes, answerBytes, audit }, common);
}

const unknownCall: Shared = { audit: undefined, common: { kind: 'call', outcome: 'lost' } };
