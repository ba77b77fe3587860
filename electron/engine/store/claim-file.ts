import { randomUUID } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { errorCode, readTextIfExists } from './atomic-file.ts';
import { processIdentity } from './process-identity.ts';

/** What a file says of the process that claims something by it. */
export interface ProcessClaim {
  readonly pid: number;
  /** From processIdentity: tells a living owner from a stranger with the same pid. */
  readonly identity: string;
}

/** The claim of this process. */
export async function ownClaim(): Promise<ProcessClaim> {
  return { pid: process.pid, identity: (await processIdentity(process.pid)) ?? 'unknown' };
}

/**
 * Puts a claim at `file` unless a living process has one there; what a dead one left is taken over. Resolves to
 * whether the claim now stands; remove the file to give it up.
 */
export async function claimFile(file: string, claim: ProcessClaim): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await create(file, claim)) return true;
    const text = await readTextIfExists(file);
    // Given up a moment ago; moving away whatever comes next would take it from its new owner.
    if (text === undefined) continue;
    const owner = parseClaim(text);
    if (owner !== undefined && (await isAlive(owner))) return false;
    await setAside(file, owner);
  }
  return false;
}

/** The claim as it stands; undefined when there is none or it cannot be read. */
export async function readClaim(file: string): Promise<ProcessClaim | undefined> {
  const text = await readTextIfExists(file).catch(() => undefined);
  return text === undefined ? undefined : parseClaim(text);
}

/** Whether the process that made the claim still runs. */
async function isAlive(claim: ProcessClaim): Promise<boolean> {
  return (await processIdentity(claim.pid)) === claim.identity;
}

function parseClaim(text: string): ProcessClaim | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isClaim(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const maxAttempts = 5;

/** Linking a finished file is atomic and refuses an existing one, so no reader ever sees half a record. */
async function create(file: string, claim: ProcessClaim): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(claim), { mode: 0o600 });
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
async function setAside(file: string, stale: ProcessClaim | undefined): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await readClaim(aside);
  const isOther = moved !== undefined && (moved.pid !== stale?.pid || moved.identity !== stale.identity);
  if (isOther) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
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
