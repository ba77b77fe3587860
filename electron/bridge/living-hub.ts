import { type HubRecord, readHubRecord } from '../engine/store/instance-lock.ts';
import { processLife } from '../engine/store/process-identity.ts';

/** Reads the owner of the data folder from its file; undefined once that hub has certainly ended. */
export async function livingHub(file: string): Promise<HubRecord | undefined> {
  const record = await readHubRecord(file);
  if (record === undefined) return undefined;
  return (await processLife(record)) === 'gone' ? undefined : record;
}
