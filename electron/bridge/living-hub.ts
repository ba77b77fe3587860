import { type HubRecord, readHubRecord } from '../engine/store/instance-lock.ts';
import { processIdentity } from '../engine/store/process-identity.ts';

/** What the file says of the hub that owns the data folder, if that hub runs, answering or not. */
export async function livingHub(file: string): Promise<HubRecord | undefined> {
  const record = await readHubRecord(file);
  if (record === undefined) return undefined;
  return (await processIdentity(record.pid)) === record.identity ? record : undefined;
}
