import { stat } from 'node:fs/promises';
import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { writePrivateFile } from './atomic-file.ts';
import { claimFile, ownClaim, type ProcessClaim, readClaim } from './claim-file.ts';
import { processStatus } from './process-identity.ts';
import { removeFile } from './replace-file.ts';

/** Content of `run/hub.json`: the hub that owns the folder. */
export interface HubRecord extends ProcessClaim {
  readonly startedAt: number;
  readonly version: string;
  /** Port of the HTTP endpoint, once it is open. */
  readonly port?: number;
  /** Socket for bridges and commands. */
  readonly socket?: string;
}

export interface InstanceLock {
  /** Replaces the variable part of the record, for example when the port is known. */
  update(change: Pick<HubRecord, 'port' | 'socket'>): Promise<void>;
  /** False if the record was deleted, moved or replaced. Reads the file only if it has changed. */
  isRecorded(): Promise<boolean>;
  /**
   * Writes the record again if it is missing. Resolves to the problem `hub.already_running` if another hub
   * owns the folder by now, which must then be left to it.
   */
  renew(): Promise<Problem | undefined>;
  /** Releases the folder; idempotent. */
  release(): Promise<void>;
}

/**
 * Makes this process the only hub of a data folder. A record left by a killed hub is taken over. Rejects with
 * ProblemError `hub.already_running` while its owner is running.
 */
export async function acquireInstanceLock(file: string, version: string): Promise<InstanceLock> {
  const record: HubRecord = { ...(await ownClaim()), startedAt: Date.now(), version };
  if (await claimFile(file, record)) return createLock(file, record);
  throw new ProblemError(alreadyRunning(await readHubRecord(file)));
}

/** Returns the current record; undefined if there is none or it cannot be read. */
export async function readHubRecord(file: string): Promise<HubRecord | undefined> {
  // Only hubs write this file, and always a complete record.
  return (await readClaim(file)) as HubRecord | undefined;
}

/** Returns the record of the hub that owns the folder; undefined once that hub has certainly ended. */
export async function readRunningHub(file: string): Promise<HubRecord | undefined> {
  const record = await readHubRecord(file);
  if (record === undefined) return undefined;
  return (await processStatus(record)) === 'gone' ? undefined : record;
}

function createLock(file: string, initial: HubRecord): InstanceLock {
  let record = initial;
  let held = true;
  /** Version of the file that was last found to be ours. */
  let known: string | undefined;
  const isOurs = (owner: HubRecord | undefined) =>
    owner?.pid === record.pid && owner.identity === record.identity;
  return {
    async update(change) {
      if (!held) return;
      record = { ...record, ...change };
      const owner = await readHubRecord(file);
      if (owner === undefined || isOurs(owner)) await writePrivateFile(file, JSON.stringify(record));
    },
    async isRecorded() {
      const version = await versionOf(file);
      if (version !== undefined && version === known) return true;
      const isFound = isOurs(await readHubRecord(file));
      known = isFound ? version : undefined;
      return isFound;
    },
    async renew() {
      if (await claimFile(file, record)) return undefined;
      const owner = await readHubRecord(file);
      // A record that cannot be read just now is no reason to stop.
      return owner === undefined || isOurs(owner) ? undefined : alreadyRunning(owner);
    },
    async release() {
      if (!held) return;
      held = false;
      // The folder may have been deleted in the meantime, and now belong to another hub.
      if (isOurs(await readHubRecord(file))) await removeFile(file);
    },
  };
}

/** Tells a file from one written, moved or linked there later; undefined if there is none. */
async function versionOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? undefined : `${found.ino} ${found.size} ${found.ctimeNs}`;
}

function alreadyRunning(owner: HubRecord | undefined) {
  const who =
    owner === undefined
      ? 'Another Patchbay'
      : `Another Patchbay (process ${owner.pid}, version ${owner.version})`;
  return problem(
    'hub.already_running',
    `${who} already uses this data folder.`,
    'Take over in the window, stop the other one with patchbay stop, or choose another folder with --data-dir.',
    { pid: owner?.pid, version: owner?.version },
  );
}
