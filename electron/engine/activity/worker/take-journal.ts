import { readFile } from 'node:fs/promises';
import { removeFile } from '../../store/files/replace-file.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { AuditStore } from '../audit/audit-store.ts';
import { readLine } from '../audit-journal.ts';
import type { ActivityEntry } from '../store/activity.ts';
import type { ActivityStore } from '../store/activity-store.ts';
import { toAuditEntries } from './mask-notes.ts';
import type { Masking } from './masking.ts';
import { type ReadBatch, readBatch } from './read-batch.ts';

export interface TakeJournalOptions {
  readonly journal: string;
  readonly audit: Pick<AuditStore, 'append' | 'known' | 'flush'>;
  readonly activity: Pick<ActivityStore, 'add' | 'missing' | 'flush'>;
  readonly masking: Masking;
  /** The next number of an activity row. */
  readonly first: number;
}

/**
 * Adds what is in a journal but not yet in the audit log and activity; deletes the journal when everything is
 * written. Resolves to the number of activity rows added.
 */
export async function takeJournal(options: TakeJournalOptions): Promise<number> {
  const { journal, audit, activity } = options;
  const text = await readFile(journal, 'utf8').catch(() => undefined);
  if (text === undefined) return 0;
  const read = await readLines(text, options.masking);
  for (let start = 0; start < read.audits.length; start += batchSize)
    await append(audit, read.audits.slice(start, start + batchSize));
  const missing = await activity.missing(read.activities);
  for (const [index, entry] of missing.entries())
    activity.add({ ...entry, row: { ...entry.row, id: options.first + index } });
  const areWritten = await Promise.all([audit.flush(), activity.flush()]);
  if (areWritten.every(Boolean)) await removeFile(journal);
  return missing.length;
}

async function readLines(text: string, masking: Masking): Promise<ReadBatch> {
  const audits: AuditEntry[] = [];
  const activities: ActivityEntry[] = [];
  // A hub that is killed while it joins two journals leaves lines twice.
  for (const line of new Set(text.split('\n'))) {
    const read = readLine(line);
    if (read === undefined) continue;
    if ('id' in read) audits.push(...toAuditEntries([read], masking));
    else {
      const options = { masking, first: 0, contents: noContents, isPartial: true } as const;
      const batch = await readBatch(read, options);
      audits.push(...batch.audits);
      activities.push(...batch.activities);
    }
  }
  return { audits, activities };
}

async function append(audit: TakeJournalOptions['audit'], entries: readonly AuditEntry[]): Promise<void> {
  const known = await audit.known(entries);
  await audit.append(entries.filter(({ id }) => !known.has(id)));
}

const noContents = { bytes: new Uint8Array(), lengths: [] };
const batchSize = 500;
