import type { ActivityRow } from '../../shared/model/activity.ts';
import { printableWord } from '../engine/base/printable.ts';

/** Formats JSON lines for people: time, client, tool, outcome. Payloads are left to the other formats. */
export function activityText(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${rowText(JSON.parse(line) as ActivityRow)}\n`)
    .join('');
}

function rowText({
  at,
  clientName,
  serverKey,
  method,
  name,
  outcome,
  milliseconds,
  text,
}: ActivityRow): string {
  const target = [serverKey, name ?? method].filter((part) => part !== undefined).join(':');
  const took = milliseconds === undefined ? '' : `${Math.round(milliseconds)} ms`;
  const columns = [
    momentText(at),
    (clientName ?? '-').padEnd(clientWidth),
    outcome.padEnd(outcomeWidth),
    took.padStart(tookWidth),
    target,
    text ?? '',
  ];
  return printableWord(columns.join('  ')).trimEnd();
}

/** Local time of this machine. */
function momentText(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

const clientWidth = 16;
const outcomeWidth = 9;
const tookWidth = 9;
