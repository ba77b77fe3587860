import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { ActivityBatch } from '../contract.ts';
import type { ActivityEntry } from '../store/activity.ts';
import { toAuditEntry } from './audit-entry.ts';
import type { Masking } from './masking.ts';
import { maskRecord, type ShownRecord, short } from './shown-record.ts';

/** Entries of a batch, ready to be stored. */
export interface ReadBatch {
  readonly activities: readonly ActivityEntry[];
  readonly audits: readonly AuditEntry[];
}

/**
 * Reads a batch into entries with all secrets masked; activity is numbered from `first`. Lets what is due in
 * this thread happen after each portion.
 */
export async function readBatch(
  { records, isPartial }: Pick<ActivityBatch, 'records' | 'isPartial'>,
  masking: Masking,
  first: number,
): Promise<ReadBatch> {
  const activities: ActivityEntry[] = [];
  const audits: AuditEntry[] = [];
  for (const [index, record] of records.entries()) {
    if (index > 0 && index % portion === 0) await nextTurn();
    const shown = maskRecord(record, masking);
    if (record.isAuditOnly !== true) {
      const activity = toActivity(shown, masking, first + activities.length);
      activities.push(isPartial ? { ...activity, isCut: true } : activity);
    }
    if (record.audit !== undefined) audits.push(toAuditEntry(shown, record.audit, masking, isPartial));
  }
  return { activities, audits };
}

/** Records per portion. */
const portion = 50;

function toActivity(shown: ShownRecord, masking: Masking, id: number): ActivityEntry {
  const { shownArgs, shownResult } = shown;
  return {
    row: toRow(shown, masking, id),
    arguments: shownArgs?.text,
    result: shownResult?.text,
    isCut: shownArgs?.isCut === true || shownResult?.isCut === true,
  };
}

/** Names and messages come from servers and clients and may contain anything. */
function toRow(
  { record, outcome, name, text, found }: ShownRecord,
  masking: Masking,
  id: number,
): ActivityRow {
  const { args: _args, digest: _digest, result: _result, audit: _audit, isAuditOnly: _only, ...row } = record;
  const shown = (value: string | undefined) =>
    value === undefined ? undefined : short(masking.text(value, found));
  const masked = {
    ...row,
    id,
    outcome,
    clientName: shown(row.clientName),
    name: name === undefined ? undefined : short(name),
    fallback: shown(row.fallback),
    serverProtocol: shown(row.serverProtocol),
    text,
  };
  const members = Object.entries(masked).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as unknown as ActivityRow;
}
