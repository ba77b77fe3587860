import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { ActivityBody } from '../store/activity.ts';

const columns = [
  'time',
  'kind',
  'client',
  'server',
  'method',
  'name',
  'outcome',
  'milliseconds',
  'request bytes',
  'answer bytes',
  'attempts',
  'fallback',
  'count',
  'text',
  'client protocol',
  'server protocol',
  'arguments',
  'result',
] as const;

export const csvHead = `${columns.join(',')}\r\n`;

/** Formats a row as RFC 4180 says. */
export function csvLine(row: ActivityRow, body: ActivityBody | undefined): string {
  const cells: Readonly<Record<(typeof columns)[number], string | number | undefined>> = {
    time: new Date(row.at).toISOString(),
    kind: row.kind,
    client: row.clientName,
    server: row.serverKey,
    method: row.method,
    name: row.name,
    outcome: row.outcome,
    milliseconds: row.milliseconds,
    'request bytes': row.requestBytes,
    'answer bytes': row.answerBytes,
    attempts: row.attempts,
    fallback: row.fallback,
    count: row.count,
    text: row.text,
    'client protocol': row.clientProtocol,
    'server protocol': row.serverProtocol,
    arguments: body?.arguments,
    result: body?.result,
  };
  return `${columns.map((column) => cell(cells[column])).join(',')}\r\n`;
}

/** Escapes text that a spreadsheet would run as a formula: what servers say must not be executed. */
function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
