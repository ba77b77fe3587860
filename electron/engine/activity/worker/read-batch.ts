import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { RecordList } from '../contract.ts';
import { type PackedContents, unpackContents } from '../packed-contents.ts';
import type { ActivityEntry } from '../store/activity.ts';
import { toAuditEntry } from './audit-entry.ts';
import type { Masking } from './masking.ts';
import { maskRecord, type ShownRecord, short } from './shown-record.ts';

/** Entries of a batch, ready to be stored. */
export interface ReadBatch {
  readonly activities: readonly ActivityEntry[];
  readonly audits: readonly AuditEntry[];
}

export interface ReadBatchOptions {
  readonly masking: Masking;
  /** Number of the first activity. */
  readonly first: number;
  /** Contents of each record, in the same order. */
  readonly contents: PackedContents;
  /** The bodies are not among the contents. */
  readonly isPartial: true | undefined;
}

/**
 * Reads records into entries with all secrets masked. Lets what is due in this thread happen before each
 * portion, so that batches that come without a pause do not delay it.
 */
export async function readBatch(
  list: RecordList,
  { masking, first, contents, isPartial }: ReadBatchOptions,
): Promise<ReadBatch> {
  const activities: ActivityEntry[] = [];
  const audits: AuditEntry[] = [];
  const [clients, servers] = [new Map(list.clients), new Map(list.servers)];
  const unpacked = unpackContents(contents);
  for (const [index, record] of list.records.entries()) {
    if (index % portion === 0) await nextTurn();
    const client = clients.get(record.clientId ?? '') ?? {};
    const server = servers.get(record.serverKey ?? '') ?? {};
    const shown = maskRecord({ record, client, server, contents: unpacked.next().value ?? {} }, masking);
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
  { record, client, server, outcome, name, text, found }: ShownRecord,
  masking: Masking,
  id: number,
): ActivityRow {
  const { audit: _audit, isAuditOnly: _only, areArgumentsCut: _args, isResultCut: _result, ...rest } = record;
  const { hasFailed: _failed, ...row } = rest;
  const isExchange = row.kind === 'call' || row.kind === 'question';
  const shown = (value: string | undefined) =>
    value === undefined ? undefined : short(masking.text(value, found));
  const masked = {
    ...row,
    id,
    outcome,
    clientName: shown(row.clientName ?? client.clientName),
    name: name === undefined ? undefined : short(name),
    fallback: shown(row.fallback),
    clientProtocol: isExchange ? client.clientProtocol : undefined,
    serverProtocol: isExchange ? shown(server.serverProtocol) : undefined,
    text,
  };
  const members = Object.entries(masked).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as unknown as ActivityRow;
}
