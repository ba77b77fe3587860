import type { Activity, ActivityEntry, KeptActivityBody } from './activity.ts';
import type { ActivityBodyRow, ActivityRow } from './tables.ts';

/** A call as it is written, but for its number. */
export interface NewActivity {
  readonly call: Omit<ActivityRow, 'id'>;
  readonly body: Omit<ActivityBodyRow, 'id'>;
}

/** Leaves nothing of what is not kept, however long it was. */
export function toNewActivity(entry: ActivityEntry): NewActivity {
  const args = beginning(entry.arguments);
  const result = beginning(entry.result);
  const isCut = args?.length !== entry.arguments?.length || result?.length !== entry.result?.length;
  return {
    body: { arguments: args ?? null, result: result ?? null, is_cut: isCut ? 1 : 0 },
    call: {
      at: entry.at,
      client_id: entry.clientId,
      client_name: entry.clientName,
      server: entry.serverKey,
      method: entry.method,
      name: entry.name ?? null,
      outcome: entry.outcome,
      milliseconds: entry.milliseconds,
      request_bytes: entry.requestBytes,
      answer_bytes: entry.answerBytes,
      kept: rowSize + (args?.length ?? 0) + (result?.length ?? 0),
    },
  };
}

export function toActivity(row: ActivityRow): Activity {
  return {
    id: row.id,
    at: row.at,
    clientId: row.client_id,
    clientName: row.client_name,
    serverKey: row.server,
    method: row.method,
    name: row.name ?? undefined,
    outcome: row.outcome,
    milliseconds: row.milliseconds,
    requestBytes: row.request_bytes,
    answerBytes: row.answer_bytes,
  };
}

export function toKeptBody(row: ActivityBodyRow): KeptActivityBody {
  const { arguments: args, result, is_cut: isCut } = row;
  return { arguments: args ?? undefined, result: result ?? undefined, isCut: isCut === 1 };
}

/** Characters. */
const longestBody = 16 * 1024;

/** Of a row without its bodies, roughly. */
const rowSize = 200;

/** A part of a string keeps all of it in memory, unless it is copied. */
function beginning(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= longestBody) return text;
  return Buffer.from(text.slice(0, longestBody), 'utf16le').toString('utf16le');
}
