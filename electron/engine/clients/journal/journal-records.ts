import type { JournalRecord } from '../../../../shared/model/client/connect.ts';
import { clientTable } from '../table/client-table.ts';
import type { JournalLine } from './journal-line.ts';

/** Returns the journal for people, newest first. */
export function journalRecords(lines: readonly JournalLine[]): readonly JournalRecord[] {
  const outcomes = new Map(
    lines.flatMap((line) => (line.action === 'settled' ? [[line.write, line.ok]] : [])),
  );
  return lines.flatMap((line) => recordOf(line, outcomes)).reverse();
}

function recordOf(line: JournalLine, outcomes: ReadonlyMap<string, boolean>): readonly JournalRecord[] {
  const { at, id, file } = line;
  const title = clientTable.find((row) => row.id === id)?.title ?? id;
  const common = { at, id, title, file };
  switch (line.action) {
    case 'connect':
    case 'taken-out':
    case 'put-back':
    case 'undo': {
      const { action, before, after, write } = line;
      const backup = action === 'undo' ? undefined : line.backup;
      return [
        {
          ...common,
          action,
          done: outcomes.get(write) === true,
          before,
          after,
          backup,
        },
      ];
    }
    case 'wiped':
    case 'changed':
    case 'found-again':
    case 'forgotten':
      return [{ ...common, action: line.action, done: true }];
    default:
      return [];
  }
}
