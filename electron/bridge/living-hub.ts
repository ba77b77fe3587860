import { type HubRecord, readHubRecord } from '../engine/store/instance-lock.ts';
import { processStatus } from '../engine/store/process-identity.ts';

/** Reads the owner of the data folder from its file; undefined once that hub has certainly ended. */
export async function runningHub(file: string): Promise<HubRecord | undefined> {
  const record = await readHubRecord(file);
  if (record === undefined) return undefined;
  return (await processStatus(record)) === 'gone' ? undefined : record;
}
