import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { ActivityBody, ActivityEntry } from './activity.ts';
import type { ActivityBodyTable, ActivityTable } from './tables.ts';
import { withoutNulls } from './without-nulls.ts';

/** An entry in the form in which it is written. */
export interface NewActivity {
  readonly row: ActivityTable;
  readonly body: ActivityBodyTable | undefined;
}

export function toNewActivity({ row, arguments: args, result, isCut }: ActivityEntry): NewActivity {
  const { id } = row;
  const length = (args?.length ?? 0) + (result?.length ?? 0);
  return {
    row: {
      id,
      at: row.at,
      kind: row.kind,
      client_id: row.clientId ?? null,
      client_name: row.clientName ?? null,
      server: row.serverKey ?? null,
      method: row.method ?? null,
      name: row.name ?? null,
      outcome: row.outcome,
      milliseconds: row.milliseconds ?? null,
      request_bytes: row.requestBytes ?? null,
      answer_bytes: row.answerBytes ?? null,
      attempts: row.attempts ?? null,
      fallback: row.fallback ?? null,
      repeated: row.repeated === true ? 1 : null,
      count: row.count ?? null,
      text: row.text ?? null,
      tone: row.tone ?? null,
      kept:
        rowSize +
        length +
        (row.text?.length ?? 0) +
        (row.clientProtocol?.length ?? 0) +
        (row.serverProtocol?.length ?? 0),
      client_protocol: row.clientProtocol ?? null,
      server_protocol: row.serverProtocol ?? null,
    },
    body:
      length === 0
        ? undefined
        : { id, arguments: args ?? null, result: result ?? null, is_cut: isCut ? 1 : 0 },
  };
}

export function toActivityRow(found: ActivityTable): ActivityRow {
  const { id, at, kind, outcome, ...rest } = found;
  return {
    id,
    at,
    // The writer decides which values are possible.
    kind: kind as ActivityRow['kind'],
    outcome: outcome as ActivityRow['outcome'],
    ...withoutNulls({
      clientId: rest.client_id,
      clientName: rest.client_name,
      serverKey: rest.server,
      method: rest.method,
      name: rest.name,
      milliseconds: rest.milliseconds,
      requestBytes: rest.request_bytes,
      answerBytes: rest.answer_bytes,
      attempts: rest.attempts,
      fallback: rest.fallback,
      repeated: rest.repeated === 1 ? true : null,
      count: rest.count,
      text: rest.text,
      tone: rest.tone as ActivityRow['tone'] | null,
      clientProtocol: rest.client_protocol,
      serverProtocol: rest.server_protocol,
    }),
  };
}

export function toActivityBody(found: ActivityBodyTable): ActivityBody {
  const { arguments: args, result, is_cut: isCut } = found;
  return { arguments: args ?? undefined, result: result ?? undefined, isCut: isCut === 1 };
}

/** Approximate size of a row without its bodies. */
const rowSize = 200;
