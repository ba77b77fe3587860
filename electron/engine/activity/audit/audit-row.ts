import { hash as digest } from 'node:crypto';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';
import { withoutNulls } from '../store/without-nulls.ts';
import type { AuditEntry } from './audit.ts';
import type { AuditLogRow } from './tables.ts';

/** Hash before the very first row. */
export const genesis = '0'.repeat(64);

/** Returns the SHA-256 of the previous row's hash and all members of this row. */
export function hashOf(before: string, row: Omit<AuditLogRow, 'hash'>): string {
  return digest('sha256', before + JSON.stringify(members(row)), 'hex');
}

/** Lists the members in an order that must never change, so that old hashes stay valid. */
function members(row: Omit<AuditLogRow, 'hash'>): readonly unknown[] {
  return [
    row.seq,
    row.id,
    row.at,
    row.kind,
    row.action,
    row.actor,
    row.outcome,
    row.server_id,
    row.tool_name,
    row.text,
    row.correlation_id,
    row.method,
    row.params_hash,
    row.success,
    row.result_summary,
    row.attempts,
    row.latency_ms,
    row.policy_decision,
    row.cached_decision,
    row.is_partial,
  ];
}

/**
 * Converts an entry to a numbered row without its hash. Copies each member: spreading objects would take
 * longer than all the rest.
 */
export function toLogRow(entry: AuditEntry, seq: number): Omit<AuditLogRow, 'hash'> {
  const isCall = entry.kind === 'invocation';
  return {
    seq,
    id: entry.id,
    at: entry.at,
    kind: entry.kind,
    action: entry.action,
    actor: entry.actor,
    outcome: entry.outcome,
    server_id: entry.serverKey ?? (isCall ? '' : null),
    tool_name: entry.tool ?? (isCall ? '' : null),
    text: entry.text ?? null,
    correlation_id: isCall ? (entry.correlationId ?? entry.id) : null,
    method: isCall ? (entry.method ?? '') : null,
    params_hash: entry.paramsHash ?? null,
    success: isCall ? (entry.outcome === 'ok' ? 1 : 0) : null,
    result_summary: entry.resultSummary ?? null,
    attempts: isCall ? (entry.attempts ?? 1) : null,
    latency_ms: entry.milliseconds ?? null,
    policy_decision: entry.decision ?? null,
    cached_decision: isCall ? Number(entry.cached === true) : null,
    is_partial: isCall ? Number(entry.isPartial === true) : null,
  };
}

/** Converts a row to the form that queries return. */
export function toAuditRow(row: AuditLogRow): AuditRow {
  const { seq, at, action, actor, hash } = row;
  return {
    seq,
    at,
    // The writer decides which values are possible.
    kind: row.kind as AuditRow['kind'],
    action,
    actor,
    outcome: row.outcome as AuditRow['outcome'],
    ...withoutNulls({
      serverKey: row.server_id === '' ? null : row.server_id,
      tool: row.tool_name === '' ? null : row.tool_name,
      text: row.text,
      correlationId: row.correlation_id,
      method: row.method,
      paramsHash: row.params_hash,
      resultSummary: row.result_summary,
      attempts: row.attempts,
      milliseconds: row.latency_ms,
      decision: row.policy_decision as AuditRow['decision'] | null,
      cached: row.cached_decision === null || row.policy_decision === null ? null : row.cached_decision === 1,
      isPartial: row.is_partial === 1 ? (true as const) : null,
    }),
    hash,
  };
}
