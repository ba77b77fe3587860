import { link, writeFile } from 'node:fs/promises';
import { parseJson } from '../../../../shared/json.ts';
import { errorCode, readTextIfExists } from './atomic-file.ts';
import { processIdentity, processStatus } from './process-identity.ts';
import { removeFile, replaceFile, retryWhileLocked } from './replace-file.ts';
import { tempFileFor } from './temp-files.ts';

/** Content of a file by which a process claims something. */
export interface ProcessClaim {
  readonly pid: number;
  /** Value of processIdentity: tells the owner from a later process with the same pid. */
  readonly identity: string;
}

/** Returns the claim of this process. */
export async function ownClaim(): Promise<ProcessClaim> {
  return { pid: process.pid, identity: (await processIdentity(process.pid)) ?? 'unknown' };
}

type StatusOf = typeof processStatus;

/**
 * Writes a claim to `file` unless a running process has one there. The claim of a dead process is taken over;
 * that of a process that may be running never is. Resolves to whether the claim is held; remove the file to
 * release it.
 */
export function claimFile(
  file: string,
  claim: ProcessClaim,
  statusOf: StatusOf = processStatus,
): Promise<boolean> {
  return claimAt(file, { claim, statusOf }, 0);
}

/** Returns the current claim; undefined if there is none or it cannot be read. */
export async function readClaim(file: string): Promise<ProcessClaim | undefined> {
  const text = await readTextIfExists(file).catch(() => undefined);
  return text === undefined ? undefined : parseClaim(text);
}

function parseClaim(text: string): ProcessClaim | undefined {
  const value = parseJson(text);
  return isClaim(value) ? value : undefined;
}

const maxAttempts = 5;
const maxDepth = 3;

interface Attempt {
  readonly claim: ProcessClaim;
  readonly statusOf: StatusOf;
}

async function claimAt(file: string, attempted: Attempt, depth: number): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await create(file, attempted.claim)) return true;
    const text = await readTextIfExists(file);
    // The claim was released a moment ago.
    if (text === undefined) continue;
    return (await isStale(text, attempted)) && depth < maxDepth && takeOver(file, attempted, depth);
  }
  return false;
}

/**
 * Replaces a stale claim. Several processes may find it at once: only the one that holds the takeover claim
 * (`.next`) replaces it, atomically, so that the file is never absent and a new owner is never replaced.
 */
async function takeOver(file: string, attempted: Attempt, depth: number): Promise<boolean> {
  const takeoverFile = `${file}.next`;
  if (!(await claimAt(takeoverFile, attempted, depth + 1))) return false;
  try {
    const text = await readTextIfExists(file);
    if (text === undefined || !(await isStale(text, attempted))) return false;
    await withTempFile(file, attempted.claim, (draft) => replaceFile(draft, file));
    return true;
  } finally {
    await removeFile(takeoverFile);
  }
}

/** Returns true for the claim of a dead process, or for text that no process can have written. */
async function isStale(text: string, { statusOf }: Attempt): Promise<boolean> {
  const owner = parseClaim(text);
  return owner === undefined || (await statusOf(owner)) === 'gone';
}

/**
 * Links a complete file, which is atomic and fails if the target exists, so that readers never see a partial
 * record.
 */
async function create(file: string, claim: ProcessClaim): Promise<boolean> {
  try {
    await withTempFile(file, claim, (draft) => retryWhileLocked(() => link(draft, file)));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a complete record to a temporary file, which is removed afterwards even if the disk is full. */
async function withTempFile(
  file: string,
  claim: ProcessClaim,
  place: (tempFile: string) => Promise<void>,
): Promise<void> {
  const tempFile = tempFileFor(file);
  try {
    await writeFile(tempFile, JSON.stringify(claim), { mode: 0o600 });
    await place(tempFile);
  } finally {
    await removeFile(tempFile);
  }
}

function isClaim(value: unknown): value is ProcessClaim {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'identity' in value &&
    typeof value.identity === 'string'
  );
}
