import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { errorCode, writeFileAtomic } from './atomic-file.ts';
import { processIdentity } from './process-identity.ts';

/** What `run/hub.json` says of the hub that owns the folder. */
export interface HubRecord {
  readonly pid: number;
  /** From processIdentity: tells a living owner from a stranger with the same pid. */
  readonly identity: string;
  readonly startedAt: number;
  readonly version: string;
  /** Port of the HTTP endpoint, once it is served. */
  readonly port?: number;
}

export interface InstanceLock {
  /** Replaces the record's variable part, for example when the port is known. */
  update(change: { readonly port?: number }): Promise<void>;
  /** Gives the folder free; idempotent. */
  release(): Promise<void>;
}

/**
 * Makes this process the only hub of a data folder. A record left by a killed hub is taken over.
 * Rejects with ProblemError `hub.already_running` while its owner lives.
 */
export async function acquireInstanceLock(file: string, version: string): Promise<InstanceLock> {
  const identity = await processIdentity(process.pid);
  const record: HubRecord = {
    pid: process.pid,
    identity: identity ?? 'unknown',
    startedAt: Date.now(),
    version,
  };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await create(file, record)) return createLock(file, record);
    const owner = await readHubRecord(file);
    if (owner !== undefined && (await isAlive(owner))) throw new ProblemError(alreadyRunning(owner));
    await setAside(file, owner);
  }
  throw new ProblemError(alreadyRunning(undefined));
}

/** The record as it stands; undefined when there is none or it cannot be read. */
export async function readHubRecord(file: string): Promise<HubRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isHubRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the recorded hub still runs. */
export async function isAlive(record: HubRecord): Promise<boolean> {
  return (await processIdentity(record.pid)) === record.identity;
}

const maxAttempts = 5;

/** Linking a finished file is atomic and refuses an existing one, so no reader ever sees half a record. */
async function create(file: string, record: HubRecord): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Two starters may find the same dead record; whoever moves a living one away puts it back. */
async function setAside(file: string, stale: HubRecord | undefined): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await readHubRecord(aside);
  const isOther = moved !== undefined && (moved.pid !== stale?.pid || moved.identity !== stale.identity);
  if (isOther) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function createLock(file: string, initial: HubRecord): InstanceLock {
  let record = initial;
  let held = true;
  return {
    async update(change) {
      if (!held) return;
      record = { ...record, ...change };
      await writeFileAtomic(file, JSON.stringify(record), { mode: 0o600 });
    },
    async release() {
      if (!held) return;
      held = false;
      await rm(file, { force: true });
    },
  };
}

function isHubRecord(value: unknown): value is HubRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'identity' in value &&
    typeof value.identity === 'string'
  );
}

function alreadyRunning(owner: HubRecord | undefined) {
  const who =
    owner === undefined ? 'Another hub' : `Another hub (process ${owner.pid}, version ${owner.version})`;
  return problem(
    'hub.already_running',
    `${who} already owns this data folder.`,
    'Use the running one, quit it first, or choose another folder with --data-dir.',
    { pid: owner?.pid, version: owner?.version },
  );
}
